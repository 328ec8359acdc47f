package suite

import (
	"fmt"

	"serein.app/deploy/e2e/browser"
)

// OpenSlug and OpenTitle are an article's that everybody may read.
const OpenSlug, OpenTitle = "before-you-press-send", "Before You Press Send"

// CourseSlug and CourseTitle are a course's, which everybody may look at.
const CourseSlug, CourseTitle = "a-first-week", "A First Week"

// EachLook shows a page on every screen that the run has: six where it has all, else the narrowest and the widest. It must be accessible
// and fit.
func EachLook(tab *browser.Tab, name string) {
	if !Full {
		shownOn(tab, name, screen(360, "light"), screen(1440, "dark"))
		return
	}
	var all []browser.Look
	for _, width := range []int64{360, 900, 1440} {
		all = append(all, screen(width, "light"), screen(width, "dark"))
	}
	shownOn(tab, name, all...)
}

// OnPhone shows a page on the narrowest screen in both themes; it must be accessible and fit.
func OnPhone(tab *browser.Tab, name string) {
	shownOn(tab, name, screen(360, "light"), screen(360, "dark"))
}

func screen(width int64, theme string) browser.Look {
	return browser.Look{Width: width, Height: 800, Theme: theme}
}

// shownOn shows a page on screens. It is held to all rules once, and at each width where the run has all screens; in dark colours after
// that to those whose answer colours can change.
func shownOn(tab *browser.Tab, name string, screens ...browser.Look) {
	held := map[int64]bool{}
	for _, look := range screens {
		tab.Resize(look)
		if look.Theme == "dark" && (held[look.Width] || !Full && len(held) > 0) {
			tab.Legible()
		} else {
			tab.Accessible()
		}
		held[look.Width] = true
		tab.Picture(fmt.Sprintf("%s-%d-%s", name, look.Width, look.Theme))
	}
	tab.Resize(browser.Desk)
}
