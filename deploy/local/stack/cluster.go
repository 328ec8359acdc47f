package stack

import (
	"encoding/json"
	"maps"
	"slices"

	documented "serein.app/deploy/local/settings"
	"serein.app/services/platform/postgres"
)

const (
	// clusterProduct is the gateway's address that is forwarded from a developers' cluster, on any machine.
	clusterProduct = "http://localhost:8080"
	// clusterClient is the gateway's client there: the default of its OIDC_CLIENT_ID.
	clusterClient = "gateway"
	// clusterDatabase is where a developers' cluster has its PostgreSQL.
	clusterDatabase = "postgres://postgres@postgres:5432/postgres?sslmode=disable"
)

// clusterSecret is a Secret of Kubernetes.
type clusterSecret struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Metadata   map[string]string `json:"metadata"`
	StringData map[string]string `json:"stringData"`
}

// ClusterSecrets is a List for kubectl of the secrets that overlay dev of deploy/k8s reads. They are this machine's own, so
// that the list is the same each time.
func (s *Stack) ClusterSecrets() ([]byte, error) {
	secrets, err := s.clusterSecrets()
	if err != nil {
		return nil, err
	}
	list := struct {
		APIVersion string          `json:"apiVersion"`
		Kind       string          `json:"kind"`
		Items      []clusterSecret `json:"items"`
	}{APIVersion: "v1", Kind: "List"}
	for _, name := range slices.Sorted(maps.Keys(secrets)) {
		of := map[string]string{"name": name, "namespace": "serein"}
		list.Items = append(list.Items, clusterSecret{"v1", "Secret", of, secrets[name]})
	}
	return json.MarshalIndent(list, "", "  ")
}

// clusterSecrets are those secrets by their names and keys.
func (s *Stack) clusterSecrets() (map[string]map[string]string, error) {
	access, err := s.ownAccess()
	if err != nil {
		return nil, err
	}
	secrets := map[string]map[string]string{
		"nats":     {"access.conf": access},
		"redis":    {"REDIS_PASSWORD": s.settings.password("redis")},
		"postgres": {"POSTGRES_PASSWORD": s.settings.password("postgres")},
	}
	for _, p := range programs {
		if secrets[p.name], err = s.clusterSecretsOf(p.name); err != nil {
			return nil, err
		}
		if p.migrate != nil {
			owner, err := s.clusterLogin(p.name, p.name+"_owner")
			if err != nil {
				return nil, err
			}
			secrets[p.name+"-migrate"] = map[string]string{"MIGRATE_DATABASE_URL": owner}
		}
	}
	return secrets, s.settings.save()
}

// clusterSecretsOf are the variables of a program that are secret, and the keys of its callers, which change with the secrets.
func (s *Stack) clusterSecretsOf(program string) (map[string]string, error) {
	environ, err := s.clusterEnviron(program)
	if err != nil {
		return nil, err
	}
	variables, err := documented.Of(s.options.Root, program)
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, v := range variables {
		if value, ok := environ[v.Name]; ok && (v.Secret || v.Name == "SERVICE_KEYS") {
			found[v.Name] = value
		}
	}
	return found, nil
}

// clusterEnviron is a program's environment here, with the addresses that it has in a cluster.
func (s *Stack) clusterEnviron(name string) (map[string]string, error) {
	environ, err := s.environ(name)
	if err != nil {
		return nil, err
	}
	database, err := s.clusterLogin(name, name)
	if err != nil {
		return nil, err
	}
	clients, err := json.Marshal(s.clusterClients()) //nolint:gosec // the provider must know the secrets
	if err != nil {
		return nil, err
	}
	maps.Copy(environ, map[string]string{
		"DATABASE_URL": database, "NATS_URL": "nats://nats:4222", "BLOB_URL": "file:///blobs", "SMTP_URL": "smtp://inbox:1025?tls=opportunistic",
		"REDIS_URL": "redis://:" + s.settings.password("redis") + "@redis:6379",
		"CLIENTS":   string(clients), "OIDC_CLIENT_SECRET": s.ClientSecret(clusterClient),
	})
	return environ, nil
}

// clusterLogin is the address of a service's database there for one of its two roles.
func (s *Stack) clusterLogin(service, role string) (string, error) {
	return postgres.WithLogin(clusterDatabase, "serein_"+service, role, s.settings.password("postgres."+role))
}

// clusterClients are the gateway and the service accounts of this machine.
func (s *Stack) clusterClients() []client {
	all := []client{{
		ID: clusterClient, Secret: s.ClientSecret(clusterClient), FirstParty: true, SigningAlgorithm: gatewayAlgorithm,
		RedirectURIs: []string{clusterProduct + "/auth/callback"}, PostLogoutRedirectURIs: []string{clusterProduct + "/"},
	}}
	for _, c := range s.clients() {
		if len(c.RedirectURIs) == 0 {
			all = append(all, c)
		}
	}
	return all
}
