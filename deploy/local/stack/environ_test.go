package stack

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The gateway answers under the host of its public address alone, and 421 under any other name of this machine.
func TestReadersAreSentToTheGatewaysOwnHostForPictures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	settings, err := openSettings(dir)
	require.NoError(t, err)
	_, err = settings.port("gateway")
	require.NoError(t, err)
	s := &Stack{options: Options{Root: dir, DataDir: dir}, settings: settings}
	require.Equal(t, s.URL(), "http://"+s.contentEnviron()["MEDIA_HOST"])
}
