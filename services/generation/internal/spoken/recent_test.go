package spoken

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// One statement writes all of them down, and PostgreSQL refuses a statement that would write a row twice.
func TestASentenceThatIsUsedBeforeAndAfterTheHourIsNotedOnce(t *testing.T) {
	t.Parallel()
	u, hour := newUsed(), time.Date(2027, 5, 1, 23, 0, 0, 0, time.UTC)
	u.note(Key{1}, hour)
	u.note(Key{1}, hour)
	u.note(Key{2}, hour)
	u.note(Key{1}, hour.Add(time.Hour))
	require.ElementsMatch(t, []Key{{1}, {2}}, u.take())
	require.Empty(t, u.take())
	u.note(Key{1}, hour.Add(time.Hour))
	require.Empty(t, u.take(), "it is noted for this hour")
	u.giveBack([]Key{{1}})
	u.note(Key{1}, hour.Add(time.Hour))
	require.Equal(t, []Key{{1}}, u.take())
}
