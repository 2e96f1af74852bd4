# Names are ASCII.
let é = [[1]]
