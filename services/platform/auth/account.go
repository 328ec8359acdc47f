package auth

import "context"

type accessTokenKey struct{}

// WithAccessToken makes outgoing unary calls bring a service account's own access token in place of this service's
// proof: who is called hears the account, under its name and with its scopes, and nobody vouches for more.
func WithAccessToken(ctx context.Context, token string) context.Context {
	return context.WithValue(ctx, accessTokenKey{}, token)
}

// AccessToken is what outgoing unary calls bring in place of a proof; empty where they bring that.
func AccessToken(ctx context.Context) string {
	token, _ := ctx.Value(accessTokenKey{}).(string)
	return token
}
