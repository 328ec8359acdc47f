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

// tell sends followers a watermark after a round that published everything it found: every change that was
// committed when the round began has been published. Followers notice by themselves what did not arrive.
func (o *Outbox) tell(p *progress, began time.Time) error {
	if began.Sub(p.told) < tellEvery {
		return nil
	}
	p.told = began
	return o.bus.Tell(o.service, bus.Watermark{Run: p.run, Sum: p.sum, Time: began})
}
