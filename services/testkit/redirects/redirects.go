// Package redirects has the known ways past a careless check of where a browser is sent (CWE-601), for tests of every parameter that
// leads somewhere. Test only.
//
// Sources: the parsing of addresses by browsers (WHATWG URL, 4.4), OWASP's Unvalidated Redirects and Forwards Cheat Sheet and Web
// Security Testing Guide (WSTG-CLNT-04), RFC 9700, 4.1 and 4.11.
package redirects

import "strings"

// Evil is the site that all of them lead to, or try to.
const Evil = "evil.example"

// Tricks against a check that wants to keep to host, each as the program reads its parameter: once decoded.
func Tricks(host string) []string {
	filled := make([]string, len(tricks))
	for i, trick := range tricks {
		filled[i] = strings.ReplaceAll(trick, "{host}", host)
	}
	return filled
}

var tricks = []string{
	// Another address, as it is and as browsers mend it.
	"https://evil.example", "http://evil.example", "HTTPS://evil.example", "https:evil.example", "https:/evil.example", "https:///evil.example",
	"http:////evil.example", `https:\\evil.example`, "https://evil.example./", "https://evil.example:443/", "evil.example", ".evil.example",
	// One without a scheme; backslashes are slashes to a browser.
	"//evil.example", "///evil.example", "////evil.example", "//evil.example:80", "//evil.example./", "//[::1]", "//0x7f000001",
	`/\evil.example`, `\/evil.example`, `\\evil.example`, `/\/evil.example`, `//\evil.example`, "//evil.example/%2f..", "//evil.example/..",
	// Characters that a browser drops: tabs, ends of lines, spaces around.
	"/\t/evil.example", "/\n/evil.example", "/\r\n//evil.example", "\t//evil.example", " //evil.example", "/ /evil.example", "ht\ntps://evil.example",
	"/\x00/evil.example", "//evil.example\x00.{host}",
	// Encoded, once and twice.
	"/%2f%2fevil.example", "/%2fevil.example", "%2f%2fevil.example", "/%5cevil.example", "/%5c%5cevil.example", "%5c%5cevil.example", "/%09/evil.example",
	"%252f%252fevil.example", "/%252f%252fevil.example", "https%3a%2f%2fevil.example", "https%253a%252f%252fevil.example",
	// A header or a second one.
	"/%0d%0aLocation:%20https://evil.example", "/\r\nLocation: https://evil.example",
	// Steps up and down.
	"/..//evil.example", "/../evil.example", "/.//evil.example", "/./evil.example", "/.evil.example", ";//evil.example", "/;@evil.example",
	// Our own name where it is not the host.
	"https://{host}@evil.example", "//{host}@evil.example", "https://{host}:80@evil.example", "https://{host}.evil.example", "https://evil.example/{host}",
	"https://evil.example?{host}", "https://evil.example#{host}", `https://evil.example\@{host}`, `https://{host}\.evil.example`, "https://evil.example%23@{host}",
	"//user@evil.example", "@evil.example", "/@evil.example/..",
	// Signs that become dots, slashes and letters in a host (UTS #46).
	"//evil%E3%80%82example", "//evil\u3002example", "/\u3002evil.example", "/\uff0fevil.example", "\uff0f\uff0fevil.example", "//ev\u0131l.example", "//\u24d4vil.example",
	// What is no address of a site.
	"javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", "javascript://{host}/%0aalert(1)", "data:text/html,<script>alert(1)</script>",
	"data:text/html;base64,PHNjcmlwdD4=", "vbscript:x", "file:///etc/passwd", "blob:https://evil.example/x", "about:blank",
	"?//evil.example", "#//evil.example",
}
