// Package conventions reads the repository's sources and holds what no compiler can: no program
// knows a plan by its id, no text promises the trial's numbers, every event is published by code
// that its program reaches, a further service is named outside its own tree by one line in the
// list of programs and its import, services share nothing but the contracts and what they name, no service uses what the security standard forbids,
// times of two programs that count on each other agree, and each of the standard's requirements has an answer that is still true. It has tests only.
package conventions
