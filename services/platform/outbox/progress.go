package outbox

import (
	"time"

	"github.com/google/uuid"

	"serein.app/services/platform/bus"
)

// tellEvery is how often followers hear how far the relay has come, at most: twice in idlePoll.
const tellEvery = idlePoll / 2

// progress is what one run of the relay has published.
type progress struct {
	run  string
	sum  bus.Sum
	told time.Time
}

func newProgress() *progress { return &progress{run: uuid.NewString()} }

// tell tells followers of a round that began then and found nothing that it could not publish: every
// change that was seen by anybody then is told of. That it does not arrive is theirs to notice.
func (o *Outbox) tell(p *progress, began time.Time) error {
	if began.Sub(p.told) < tellEvery {
		return nil
	}
	p.told = began
	return o.bus.Tell(o.service, bus.Watermark{Run: p.run, Sum: p.sum, Time: began})
}
