package page

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"
)

func TestNoPageForVisitorsBeginsWithAnswersAndNoneWithUnknownOnes(t *testing.T) {
	t.Parallel()
	answers := map[string]proto.Message{"GetJourney": &emptypb.Empty{}}
	for rpc, access := range map[string]Access{"GetJourney": Everyone, "GetNothing": Member} {
		p := &Page{Path: "/journey", Access: access, Answers: []Ask{{RPC: rpc}}}
		require.ErrorContains(t, p.checkAnswers(answers), "cannot begin with")
	}
	require.NoError(t, (&Page{Access: Member, Answers: []Ask{{RPC: "GetJourney"}}}).checkAnswers(answers))
	require.NoError(t, (&Page{Access: Everyone}).checkAnswers(answers))
}

func TestAnAddressWithAParameterThatCountsIsAnotherDocuments(t *testing.T) {
	t.Parallel()
	v := &Variant{Query: []string{"tab", "search"}}
	for address, want := range map[string]bool{"/j": false, "/j?": false, "/j?tab=": false, "/j?other=1": false, "/j?tab=x": true, "/j?search=a&tab=": true} {
		u, err := url.Parse(address)
		require.NoError(t, err)
		require.Equal(t, want, v.shows(u), address)
		require.False(t, (*Variant)(nil).shows(u), address)
	}
}
