// Package life proves what billing promises over years: its tests take random steps through the lives of members, on a real database and
// before the payment sandbox, and hold what comes of them against a plain model. It holds no code of the product. How the tests are
// made, and how long they run, stands in services/billing/README.md.
package life
