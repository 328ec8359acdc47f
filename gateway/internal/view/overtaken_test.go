package view

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/metric/noop"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
)

// The model finds this by chance alone; here it is certain. The asked service answers with what was so before the
// change, and the word of the change comes first.
func TestAnAnswerThatIsOvertakenByItsChangeIsNotKept(t *testing.T) {
	t.Parallel()
	for name, overtake := range map[string]func(*Source, *Part[int], string){
		"by an event":      func(s *Source, _ *Part[int], uid string) { s.OnEvent(&eventsv1.Envelope{Uid: uid}) },
		"by their own act": func(_ *Source, p *Part[int], uid string) { p.Drop(uid) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := time.Now()
			source := NewSource(followed, func() time.Time { return now })
			asked := make(chan chan int)
			part, err := NewPart("test", source, func(context.Context, string) (int, time.Time, error) {
				mine := make(chan int)
				asked <- mine
				return <-mine, time.Time{}, nil
			}, noop.Meter{}, func() time.Time { return now })
			require.NoError(t, err)
			uid := uuid.NewString()
			get := func() chan int {
				got := make(chan int, 1)
				go func() {
					value, _ := part.Get(context.Background(), uid)
					got <- value
				}()
				return got
			}
			before := get()
			old := <-asked
			overtake(source, part, uid)
			after := get()
			fresh := <-asked // who comes after the change does not wait for the answer of before it
			old <- 1
			require.Equal(t, 1, <-before)
			_, known := part.Current(uid)
			require.False(t, known, "the answer of before the change")
			fresh <- 2
			require.Equal(t, 2, <-after)
			value, known := part.Current(uid)
			require.True(t, known)
			require.Equal(t, 2, value)
		})
	}
}
