package export

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	mailv1 "serein.app/proto/gen/serein/mail/v1"
)

func TestTheCopyOfSomebodyWhoHasDoneNothingIsWhole(t *testing.T) {
	t.Parallel()
	r := &record{
		user: &identityv1.GetUserResponse{User: &identityv1.User{}}, consents: &identityv1.GetConsentsResponse{}, apps: &identityv1.ListAppConsentsResponse{}, devices: &identityv1.ListDevicesResponse{}, passkeys: &identityv1.ListPasskeysResponse{},
		secondStep: &identityv1.GetSecondStepResponse{},
		account:    &billingv1.GetAccountResponse{}, referrals: &billingv1.GetReferralsResponse{}, basket: &basketv1.GetBasketResponse{}, kept: &contentv1.ListKeptResponse{}, places: &contentv1.ExportPlacesResponse{}, courses: &contentv1.ExportCoursesResponse{},
		diary:   &contentv1.ListEntriesResponse{},
		letters: &mailv1.GetPreferencesResponse{},
	}
	a, err := newArchive(r, time.Unix(0, 0))
	require.NoError(t, err)
	require.Len(t, a.files, 1+len(r.documents()))
	require.Equal(t, "serein-export-1970-01-01.zip", a.fileName())
	r.meditations = []*meditation{{Meditation: &generationv1.Meditation{Id: "1", Title: "静か", GivenName: "Amara", KeptInside: true}}}
	a, err = newArchive(r, time.Unix(0, 0))
	require.NoError(t, err)
	require.Contains(t, string(a.files[0].body), "with your name (Amara), kept inside Serein")
	require.Equal(t, "audio/1970-01-01--1.mp3", r.meditations[0].Sound())
}
