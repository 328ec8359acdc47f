// Package crowd owns one number: how many people may stand behind one network address. An address is not a person, so every limit by
// address lets a crowd through at once, and what is attacked (an account, a mailbox, a code) has its own limit. It counts nothing.
package crowd

// Size is a class of 30, some of whom try twice; an office; what a mobile network puts behind one address within minutes. No limit by
// address has a smaller burst.
const Size = 50
