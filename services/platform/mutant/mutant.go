// Package mutant switches planted faults on, one at a time, to prove that a test goes red for each. In the product's builds all
// are off and cost nothing; with the build tag "mutants" the variable MUTANT names the one that is on.
package mutant
