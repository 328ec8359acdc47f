// Package upstream is where the gateway's calls go: one signed client a service. A screen asks
// as few of them as it can, since each hop costs more than everything the gateway does itself.
package upstream

import (
	"net/http"
	"net/url"

	"connectrpc.com/connect"

	"serein.app/proto/gen/serein/basket/v1/basketv1connect"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/platform/rpc"
)

// The services' names, as their tokens' audience says them.
const (
	Identity   = "identity"
	Billing    = "billing"
	Basket     = "basket"
	Content    = "content"
	Generation = "generation"
	Mail       = "mail"
)

// Config says where the services are.
type Config struct {
	// Identity is the address of the identity service.
	Identity string `env:"IDENTITY_URL,required"`
	// Billing is the address of the billing service.
	Billing string `env:"BILLING_URL,required"`
	// Basket is the address of the basket service.
	Basket string `env:"BASKET_URL,required"`
	// Content is the address of the content service.
	Content string `env:"CONTENT_URL,required"`
	// Generation is the address of the generation service.
	Generation string `env:"GENERATION_URL,required"`
	// Mail is the address of the mail service.
	Mail string `env:"MAIL_URL,required"`
}

// Clients are the services as the gateway calls them.
type Clients struct {
	SignUp    identityv1connect.SignUpServiceClient
	Users     identityv1connect.UserServiceClient
	Consents  identityv1connect.ConsentServiceClient
	Deletions identityv1connect.DeletionServiceClient
	Grants    identityv1connect.GrantServiceClient
	Invites   identityv1connect.InviteServiceClient
	// Credentials are how members sign in.
	Credentials identityv1connect.AccountServiceClient
	Devices     identityv1connect.DeviceServiceClient
	Passkeys    identityv1connect.PasskeyServiceClient
	Apps        identityv1connect.AppServiceClient
	SecondStep  identityv1connect.SecondStepServiceClient
	Accounts    billingv1connect.AccountServiceClient
	Plans       billingv1connect.PlanServiceClient
	Prices      billingv1connect.PriceServiceClient
	Checkouts   billingv1connect.CheckoutServiceClient
	Orders      billingv1connect.OrderServiceClient
	Webhooks    billingv1connect.WebhookServiceClient
	Ledger      billingv1connect.LedgerServiceClient
	// Subscriptions change what is paid every period, Operators what a member has.
	Subscriptions billingv1connect.SubscriptionServiceClient
	Referrals     billingv1connect.ReferralServiceClient
	Operators     billingv1connect.OperatorServiceClient
	Baskets       basketv1connect.BasketServiceClient
	Shop          contentv1connect.ShopServiceClient
	Catalogue     contentv1connect.CatalogueServiceClient
	Library       contentv1connect.LibraryServiceClient
	Search        contentv1connect.SearchServiceClient
	Studio        contentv1connect.StudioServiceClient
	Management    contentv1connect.ManagementServiceClient
	Articles      contentv1connect.ArticleServiceClient
	Pages         contentv1connect.PageServiceClient
	Items         contentv1connect.ItemServiceClient
	Places        contentv1connect.PlaceServiceClient
	Courses       contentv1connect.CourseServiceClient
	Diary         contentv1connect.DiaryServiceClient
	Meditations   generationv1connect.MeditationServiceClient
	Grounding     generationv1connect.GroundingServiceClient
	Sample        generationv1connect.SampleServiceClient
	Drafts        generationv1connect.DraftServiceClient
	Shares        generationv1connect.ShareServiceClient
	Mail          mailv1connect.MailServiceClient
	Letters       mailv1connect.LetterServiceClient
	Preferences   mailv1connect.PreferenceServiceClient
	// Deliveries hears what mail programs and mail servers tell.
	Deliveries mailv1connect.DeliveryServiceClient

	dialer *rpc.Dialer
	cfg    Config
}

// New makes the clients; nothing is dialled before the first call.
func New(cfg Config, d *rpc.Dialer) *Clients {
	identity, identityURL, identityOptions := d.To(Identity, cfg.Identity)
	billing, billingURL, billingOptions := d.To(Billing, cfg.Billing)
	basket, basketURL, basketOptions := d.To(Basket, cfg.Basket)
	content, contentURL, contentOptions := d.To(Content, cfg.Content)
	contentOptions = connect.WithClientOptions(contentOptions, connect.WithInterceptors(connect.UnaryInterceptorFunc(recordContentAge)))
	generation, generationURL, generationOptions := d.To(Generation, cfg.Generation)
	mail, mailURL, mailOptions := d.To(Mail, cfg.Mail)
	return &Clients{
		SignUp:        identityv1connect.NewSignUpServiceClient(identity, identityURL, identityOptions),
		Users:         identityv1connect.NewUserServiceClient(identity, identityURL, identityOptions),
		Consents:      identityv1connect.NewConsentServiceClient(identity, identityURL, identityOptions),
		Deletions:     identityv1connect.NewDeletionServiceClient(identity, identityURL, identityOptions),
		Grants:        identityv1connect.NewGrantServiceClient(identity, identityURL, identityOptions),
		Credentials:   identityv1connect.NewAccountServiceClient(identity, identityURL, identityOptions),
		Passkeys:      identityv1connect.NewPasskeyServiceClient(identity, identityURL, identityOptions),
		Apps:          identityv1connect.NewAppServiceClient(identity, identityURL, identityOptions),
		SecondStep:    identityv1connect.NewSecondStepServiceClient(identity, identityURL, identityOptions),
		Devices:       identityv1connect.NewDeviceServiceClient(identity, identityURL, identityOptions),
		Invites:       identityv1connect.NewInviteServiceClient(identity, identityURL, identityOptions),
		Plans:         billingv1connect.NewPlanServiceClient(billing, billingURL, billingOptions),
		Accounts:      billingv1connect.NewAccountServiceClient(billing, billingURL, billingOptions),
		Prices:        billingv1connect.NewPriceServiceClient(billing, billingURL, billingOptions),
		Checkouts:     billingv1connect.NewCheckoutServiceClient(billing, billingURL, billingOptions),
		Orders:        billingv1connect.NewOrderServiceClient(billing, billingURL, billingOptions),
		Webhooks:      billingv1connect.NewWebhookServiceClient(billing, billingURL, billingOptions),
		Ledger:        billingv1connect.NewLedgerServiceClient(billing, billingURL, billingOptions),
		Subscriptions: billingv1connect.NewSubscriptionServiceClient(billing, billingURL, billingOptions),
		Referrals:     billingv1connect.NewReferralServiceClient(billing, billingURL, billingOptions),
		Operators:     billingv1connect.NewOperatorServiceClient(billing, billingURL, billingOptions),
		Baskets:       basketv1connect.NewBasketServiceClient(basket, basketURL, basketOptions),
		Shop:          contentv1connect.NewShopServiceClient(content, contentURL, contentOptions),
		Catalogue:     contentv1connect.NewCatalogueServiceClient(content, contentURL, contentOptions),
		Library:       contentv1connect.NewLibraryServiceClient(content, contentURL, contentOptions),
		Search:        contentv1connect.NewSearchServiceClient(content, contentURL, contentOptions),
		Studio:        contentv1connect.NewStudioServiceClient(content, contentURL, contentOptions),
		Management:    contentv1connect.NewManagementServiceClient(content, contentURL, contentOptions),
		Articles:      contentv1connect.NewArticleServiceClient(content, contentURL, contentOptions),
		Pages:         contentv1connect.NewPageServiceClient(content, contentURL, contentOptions),
		Items:         contentv1connect.NewItemServiceClient(content, contentURL, contentOptions),
		Places:        contentv1connect.NewPlaceServiceClient(content, contentURL, contentOptions),
		Courses:       contentv1connect.NewCourseServiceClient(content, contentURL, contentOptions),
		Diary:         contentv1connect.NewDiaryServiceClient(content, contentURL, contentOptions),
		Meditations:   generationv1connect.NewMeditationServiceClient(generation, generationURL, generationOptions),
		Grounding:     generationv1connect.NewGroundingServiceClient(generation, generationURL, generationOptions),
		Sample:        generationv1connect.NewSampleServiceClient(generation, generationURL, generationOptions),
		Drafts:        generationv1connect.NewDraftServiceClient(generation, generationURL, generationOptions),
		Shares:        generationv1connect.NewShareServiceClient(generation, generationURL, generationOptions),
		Mail:          mailv1connect.NewMailServiceClient(mail, mailURL, mailOptions),
		Letters:       mailv1connect.NewLetterServiceClient(mail, mailURL, mailOptions),
		Preferences:   mailv1connect.NewPreferenceServiceClient(mail, mailURL, mailOptions),
		Deliveries:    mailv1connect.NewDeliveryServiceClient(mail, mailURL, mailOptions),
		dialer:        d, cfg: cfg,
	}
}

// Audio asks generation for a plain file on behalf of the request's member.
func (c *Clients) Audio(r *http.Request, path string) (*http.Request, error) {
	return c.file(r, Generation, c.cfg.Generation, path)
}

// Track asks content for a plain file on behalf of the request's subject.
func (c *Clients) Track(r *http.Request, path string) (*http.Request, error) {
	return c.file(r, Content, c.cfg.Content, path)
}

// HTTP sends what Audio and Track made.
func (c *Clients) HTTP() *http.Client { return c.dialer.HTTP() }

// file makes a separate request: of the browser's request it takes only the method, and the caller copies headers by name.
func (c *Clients) file(r *http.Request, target, base, path string) (*http.Request, error) {
	address, err := url.JoinPath(base, path)
	if err != nil {
		return nil, err
	}
	out, err := http.NewRequestWithContext(r.Context(), r.Method, address, nil)
	if err != nil {
		return nil, err
	}
	return out, c.dialer.Sign(out, target)
}
