package browser

import (
	"context"
	"errors"

	"github.com/chromedp/chromedp/kb"
)

// Keys that have no letter.
const (
	ArrowLeft = kb.ArrowLeft
	End       = kb.End
	Enter     = kb.Enter
	Escape    = kb.Escape
	Space     = " "
	TabKey    = kb.Tab
)

// Has says whether there is something with the role and name now.
func (tab *Tab) Has(role, name string) bool {
	_, err := tab.find(tab.ctx, role, name)
	return !errors.Is(err, errNotThere) && context.Cause(tab.ctx) == nil
}
