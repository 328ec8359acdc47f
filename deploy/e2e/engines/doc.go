// Package engines has what members do most in each of the browser engines that they use: Chromium, Firefox and WebKit. All of it is the
// build tag full's, since the browsers take half a gigabyte.
package engines
