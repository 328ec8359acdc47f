package conventions

import (
	"go/ast"
	"maps"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/testkit"
)

// toCome are events that have a contract and no publisher yet, with the capability that will
// publish them.
var toCome = map[string]string{
	"BasketChanged":                     "the basket",
	"BasketCheckedOut":                  "checkout",
	"TrialEnding":                       "letters about the trial",
	"TrialEnded":                        "letters about the trial",
	"SubscriptionStarted":               "paid memberships",
	"SubscriptionRenewed":               "paid memberships",
	"SubscriptionChanged":               "changing the plan",
	"SubscriptionCancellationScheduled": "cancelling",
	"SubscriptionReactivated":           "cancelling",
	"SubscriptionCancelled":             "cancelling",
	"SubscriptionPaymentFailed":         "paid memberships",
	"OrderCompleted":                    "checkout",
	"UserDeleted":                       "deleting the account",
	"ArticlePublished":                  "articles",
	"StaticMeditationPublished":         "the meditation library",
	"StaticMeditationVerified":          "the meditation library",
	"StaticMeditationDeleted":           "the meditation library",
	"ItemLiked":                         "likes",
	"ItemSaved":                         "saved items",
	"MembershipTierChanged":             "plans that an editor changes",
	"BespokeDeleted":                    "deleting a meditation",
	"BespokeRecovered":                  "deleting a meditation",
	"BespokePurged":                     "deleting a meditation",
	"ItemNarrated":                      "narrating the library",
}

// event is a message of the contract that names a subject.
type event struct{ name, subject, file string }

func events(t *testing.T) []event {
	t.Helper()
	var found []event
	protoregistry.GlobalFiles.RangeFilesByPackage("serein.events.v1", func(file protoreflect.FileDescriptor) bool {
		for i := range file.Messages().Len() {
			message := file.Messages().Get(i)
			if subject, _ := proto.GetExtension(message.Options(), eventsv1.E_Subject).(string); subject != "" {
				found = append(found, event{string(message.Name()), subject, strings.TrimSuffix(path.Base(file.Path()), ".proto")})
			}
		}
		return true
	})
	require.NotEmpty(t, found)
	return found
}

func TestSubjectsAreUniqueAndNameTheServiceWhoseFileTheyStandIn(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	services := testkit.Services(t)
	for _, e := range events(t) {
		parts := regexp.MustCompile(`^serein\.([a-z]+)\.[a-z_]+\.[a-z_]+\.v1$`).FindStringSubmatch(e.subject)
		require.NotNil(t, parts, "%s: %s is not serein.<service>.<aggregate>.<event>.v1", e.name, e.subject)
		require.Equal(t, e.file, parts[1], "%s stands in %s.proto", e.name, e.file)
		require.Contains(t, services, parts[1], e.name)
		require.Empty(t, seen[e.subject], "%s and %s", e.name, seen[e.subject])
		seen[e.subject] = e.name
	}
}

func TestEveryEventIsPublishedByItsServiceOrStandsInTheListOfThoseToCome(t *testing.T) {
	t.Parallel()
	published, left := publishers(t), maps.Clone(toCome)
	for _, e := range events(t) {
		_, awaited := left[e.name]
		require.NotEqual(t, awaited, len(published[e.name]) > 0,
			"%s: published by %v, in the list of those to come: %t", e.name, published[e.name], awaited)
		if !awaited {
			require.Equal(t, []string{e.file}, published[e.name], "%s is its own service's to tell", e.name)
		}
		delete(left, e.name)
	}
	require.Empty(t, left, "these are no events")
}

// publishers are the services whose programs make each message of the events' package.
func publishers(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for file, source := range sources(t, ".go") {
		parts := strings.Split(file, "/")
		if parts[0] != "services" || isTest(file) || !strings.Contains(source, "serein/events/v1") {
			continue
		}
		ast.Inspect(parse(t, file, source), func(n ast.Node) bool {
			if made, ok := n.(*ast.CompositeLit); ok {
				if kind, ok := made.Type.(*ast.SelectorExpr); ok {
					if pkg, ok := kind.X.(*ast.Ident); ok && pkg.Name == "eventsv1" {
						found[kind.Sel.Name] = append(found[kind.Sel.Name], parts[1])
					}
				}
			}
			return true
		})
	}
	return found
}
