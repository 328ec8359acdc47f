// Package device says in plain words what a browser runs on and about where it is, from what it tells of itself. It asks nobody: no
// address is looked up, and nothing is kept here. Both are a browser's own word, so that they help its member to recognise it and prove
// nothing.
package device

import "strings"

// Kind of a device, for the picture beside its name.
type Kind string

// The kinds.
const (
	Computer Kind = "computer"
	Phone    Kind = "phone"
	Tablet   Kind = "tablet"
	// Other is a program, or a browser that does not say what it runs on.
	Other Kind = "other"
)

// unknown is the name of what says nothing that is known.
const unknown = "Unknown browser"

// Device is what a browser runs on.
type Device struct {
	Kind Kind
	// Name is of device and browser, such as "Windows computer, Firefox"; never empty, and never in the browser's own words.
	Name string
}

// machine is a device by the words of a User-Agent that all stand in it. The first that fits counts.
type machine struct {
	words []string
	kind  Kind
	name  string
}

// Whether a computer is a laptop no User-Agent tells. A tablet of Apple's says that it is a Mac unless it is asked for mobile pages.
var machines = []machine{
	{[]string{"iPhone"}, Phone, "iPhone"},
	{[]string{"iPod"}, Phone, "iPod"},
	{[]string{"iPad"}, Tablet, "iPad"},
	{[]string{"Android", "Mobile"}, Phone, "Android phone"},
	{[]string{"Android"}, Tablet, "Android tablet"},
	{[]string{"CrOS"}, Computer, "Chromebook"},
	{[]string{"Windows NT"}, Computer, "Windows computer"},
	{[]string{"Macintosh"}, Computer, "Mac"},
	{[]string{"Linux"}, Computer, "Linux computer"},
}

// browsers by a word of their own. Most name those that they are made of as well, so the first that fits counts.
var browsers = []struct{ word, name string }{
	{"Edg/", "Edge"},
	{"EdgA/", "Edge"},
	{"EdgiOS/", "Edge"},
	{"OPR/", "Opera"},
	{"OPT/", "Opera"},
	{"OPiOS/", "Opera"},
	{"SamsungBrowser/", "Samsung Internet"},
	{"Vivaldi/", "Vivaldi"},
	{"YaBrowser/", "Yandex Browser"},
	{"DuckDuckGo/", "DuckDuckGo"},
	{"Ddg/", "DuckDuckGo"},
	{"FxiOS/", "Firefox"},
	{"Firefox/", "Firefox"},
	{"CriOS/", "Chrome"},
	{"Chrome/", "Chrome"},
	{"Safari/", "Safari"},
}

// Of names the device of a User-Agent.
func Of(userAgent string) Device {
	d, browser := Device{Kind: Other}, browserOf(userAgent)
	for _, m := range machines {
		if has(userAgent, m.words) {
			d = Device{m.kind, m.name}
			break
		}
	}
	switch {
	case d.Name == "" && browser == "":
		d.Name = unknown
	case d.Name == "":
		d.Name = browser
	case browser != "":
		d.Name += ", " + browser
	}
	return d
}

func has(userAgent string, words []string) bool {
	for _, word := range words {
		if !strings.Contains(userAgent, word) {
			return false
		}
	}
	return true
}

func browserOf(userAgent string) string {
	for _, b := range browsers {
		if strings.Contains(userAgent, b.word) {
			return b.name
		}
	}
	return ""
}
