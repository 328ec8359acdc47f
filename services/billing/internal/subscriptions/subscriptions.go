// Package subscriptions is the life of a membership after its first payment: it renews, changes, is cancelled and kept, fails and
// is mended, and ends. Its rules are plain functions of what stands here and what the provider says; it holds no SQL and no HTTP,
// and knows no payment provider by name.
package subscriptions
