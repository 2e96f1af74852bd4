# White space is blanks and tabs.
print[[1]]
