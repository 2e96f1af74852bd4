# Numbers are decimal.
let s = 0x10
