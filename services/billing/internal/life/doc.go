// Package life proves what billing promises over years: its tests take random steps through the lives of members, on a real database and
// before the payment sandbox, with events through JetStream, and hold what comes of them against a plain model. It holds no code of the
// product.
//
// The steps are trial, invitation and reward, purchase, top-up, renewal, change, cancellation and its undoing, failed and mended cards,
// refund, dispute, meditations and an operator's corrections. Webhooks are lost, doubled and reordered, two years pass in jumps of up to 20
// days, and the process dies before or after a commit. After every step the test compares the books with the model, and SQL queries check
// the invariants of services/billing/README.md. Reads move no money, and at the end of each sequence billing's state equals the provider's,
// to the penny.
//
// Without LIFE_STEPS the test takes the same 20,000 steps or more each time; steps with no effect do not count. With LIFE_STEPS it takes so
// many others, and -rapid.seed repeats a run. A sequence that once failed is kept in testdata/rapid and runs first. TestAYearOfMembers… lives
// a year with LIFE_MEMBERS (60). promises_test.go has single lives for planted or found faults.
package life
