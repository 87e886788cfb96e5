module selectors

go 1.26

require go-hep.org/x/hep v0.39.0
