package stack

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
)

// clientsFile, in the data folder, lists the clients that identity knows. Identity knows a client that a developer adds there within
// seconds, and the next start keeps it.
const clientsFile = "clients.json"

// Client ids that identity knows on this machine.
const (
	gatewayClient = "serein-gateway"
	// ReportsClient is a service account that may read ledgers and nothing else.
	ReportsClient = "serein-reports"
	// OtherClient is a service account without that scope, to show that it is refused.
	OtherClient = "serein-other"
	// ProgramClient is a service account with every scope of the REST calls.
	ProgramClient = "serein-program"
	// SignUpClient is what callers of the sign-up API name; it is no secret.
	SignUpClient = "serein-sign-up"
	// CompanionClient is an app that members may sign in to, with the same scopes in their name.
	CompanionClient = "serein-companion"
)

// CompanionURL is where the companion's members come back to with their code.
func (s *Stack) CompanionURL() string { return s.URL() + "/api/docs" }

// ClientSecret is the secret of a service account, for tools on this machine.
func (s *Stack) ClientSecret(client string) string { return s.settings.secret("client." + client) }

// client is one as identity's CLIENTS has it.
type client struct {
	ID                     string   `json:"id"`
	Secret                 string   `json:"secret"`
	RedirectURIs           []string `json:"redirect_uris,omitempty"`
	PostLogoutRedirectURIs []string `json:"post_logout_redirect_uris,omitempty"`
	Scopes                 []string `json:"scopes,omitempty"`
	FirstParty             bool     `json:"first_party,omitempty"`
	Name                   string   `json:"name,omitempty"`
	SigningAlgorithm       string   `json:"id_token_signed_response_alg,omitempty"`
}

// gatewayAlgorithm signs the gateway's tokens: it takes a small part of the time that the default, RS256, takes.
const gatewayAlgorithm = "ES256"

// clients are those that this machine makes itself.
func (s *Stack) clients() []client {
	return []client{
		{
			ID: gatewayClient, Secret: s.ClientSecret(gatewayClient),
			RedirectURIs: []string{s.URL() + "/auth/callback"}, PostLogoutRedirectURIs: []string{s.URL() + "/"}, FirstParty: true, SigningAlgorithm: gatewayAlgorithm,
		},
		{ID: ReportsClient, Secret: s.ClientSecret(ReportsClient), Scopes: []string{"billing.ledger.read"}},
		{ID: OtherClient, Secret: s.ClientSecret(OtherClient), Scopes: []string{"mail.read"}},
		{ID: ProgramClient, Secret: s.ClientSecret(ProgramClient), Scopes: RESTScopes},
		{
			ID: CompanionClient, Name: "The Companion", Secret: s.ClientSecret(CompanionClient),
			RedirectURIs: []string{s.CompanionURL(), s.companionCallback()}, Scopes: RESTScopes,
		},
	}
}

// writeClients puts this machine's own clients into the file, whose addresses may be others than at the start before,
// and leaves what somebody has added as it is.
func (s *Stack) writeClients() error {
	path := s.absolute(clientsFile)
	before, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	content, err := mergeClients(before, s.clients())
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := os.WriteFile(path+".new", content, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// mergeClients is that list with the machine's own in place of those of the same id.
func mergeClients(before []byte, own []client) ([]byte, error) {
	var all []json.RawMessage
	if len(before) > 0 {
		if err := json.Unmarshal(before, &all); err != nil {
			return nil, fmt.Errorf("not a list of clients: %w", err)
		}
	}
	all = slices.DeleteFunc(all, func(raw json.RawMessage) bool {
		var known client
		return json.Unmarshal(raw, &known) == nil && slices.ContainsFunc(own, func(c client) bool { return c.ID == known.ID })
	})
	for _, c := range own {
		raw, err := json.Marshal(c) //nolint:gosec // the provider must know the secrets
		if err != nil {
			return nil, err
		}
		all = append(all, raw)
	}
	return json.MarshalIndent(all, "", "  ")
}
