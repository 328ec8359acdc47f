// Package sales is how things are sold: what can be bought and for how much, orders, and what a paid order gives. It holds no
// SQL and no HTTP, and knows no payment provider by name.
//
// It refuses amounts, names and credits of a request: they are the catalogue's.
package sales
