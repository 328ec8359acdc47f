package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"

	"serein.app/deploy/local/inbox"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// Member is a person with an account.
type Member struct {
	*Browser

	Username, Email, Password string
	UID                       string
}

// Password is everybody's, so that it can be looked for where it may not stand.
const Password = "stillwater-9-Pines"

// NewMember signs a person up, confirms the account, signs in and waits for the trial's credits.
func (h *Harness) NewMember(ctx context.Context) (*Member, error) {
	m, err := h.Join(ctx)
	if err != nil {
		return nil, err
	}
	return m, m.AwaitTrial(ctx)
}

// AwaitTrial waits for the trial's credits.
func (m *Member) AwaitTrial(ctx context.Context) error {
	return Eventually(ctx, "the trial", func(ctx context.Context) (bool, error) {
		credits, err := m.Credits(ctx)
		return credits.GetPlan() > 0, err
	})
}

// Join signs a person up, confirms the account, signs in and consents. The trial may start later.
func (h *Harness) Join(ctx context.Context) (*Member, error) {
	m, err := h.SignUp(ctx)
	if err != nil {
		return nil, fmt.Errorf("sign up: %w", err)
	}
	code, err := h.Code(ctx, m.Email)
	if err != nil {
		return nil, err
	}
	// In another browser, as by the letter's link on a phone: in this one the code would sign in, and the provider would not know it.
	if _, err := h.NewBrowser().Account.ConfirmSignUp(ctx, &webv1.ConfirmSignUpRequest{Username: m.Username, Code: code}); err != nil {
		return nil, fmt.Errorf("confirm: %w", err)
	}
	if err := m.SignIn(ctx); err != nil {
		return nil, fmt.Errorf("sign in: %w", err)
	}
	if err := m.Consent(ctx); err != nil {
		return nil, fmt.Errorf("consent: %w", err)
	}
	return m, nil
}

// Consent gives what the dialog after the first sign-in asks for, and nothing that may be chosen.
func (m *Member) Consent(ctx context.Context) error {
	version, err := m.TermsVersion(ctx)
	if err != nil {
		return err
	}
	_, err = m.Consents.UpdateConsents(ctx, &webv1.UpdateConsentsRequest{
		Consents: &webv1.Consents{Terms: true, Essentials: true, TermsVersion: version},
	})
	return err
}

// SignUp creates an account that is not confirmed yet.
func (h *Harness) SignUp(ctx context.Context) (*Member, error) {
	name := "member" + strings.ReplaceAll(uuid.NewString(), "-", "")[:12]
	m := &Member{Browser: h.NewBrowser(), Username: name, Email: name + "@example.org", Password: Password}
	version, err := m.TermsVersion(ctx)
	if err != nil {
		return nil, err
	}
	_, err = m.Account.SignUp(ctx, m.Answers(version))
	return m, err
}

// TermsVersion names the texts that are published and agreed to. The gateway knows them moments after content is ready.
func (b *Browser) TermsVersion(ctx context.Context) (version string, err error) {
	err = Eventually(ctx, "the versions of the texts", func(ctx context.Context) (bool, error) {
		session, err := b.Session.GetSession(ctx, &webv1.GetSessionRequest{})
		version = session.GetTermsVersion()
		return version != "", err
	})
	return version, err
}

// Answers are what the member writes into the sign-up panel, which shows the texts of that version.
func (m *Member) Answers(termsVersion string) *webv1.SignUpRequest {
	return &webv1.SignUpRequest{
		Username: m.Username, Email: m.Email, Password: m.Password,
		GivenName: "Amara", FamilyName: "Lindqvist", AgeConfirmed: true, TermsVersion: termsVersion,
	}
}

var codePattern = regexp.MustCompile(`\b\d{6}\b`)

// CodeIn is the code of six digits in a letter; empty if the letter has no code.
func CodeIn(letter string) string { return codePattern.FindString(letter) }

// Code waits for a confirmation mail and reads the code of the newest.
func (h *Harness) Code(ctx context.Context, email string) (string, error) {
	var code string
	err := Eventually(ctx, "the mail with the code", func(ctx context.Context) (bool, error) {
		mails, err := h.Mails(ctx, email)
		for _, mail := range mails {
			if code = CodeIn(mail.Text); code != "" {
				return true, nil
			}
		}
		return false, err
	})
	return code, err
}

// Mails are the mails to an address, newest first.
func (h *Harness) Mails(ctx context.Context, email string) ([]inbox.Message, error) {
	page, err := h.NewBrowser().Get(ctx, h.InboxURL()+"/api/messages?to="+url.QueryEscape(email))
	if err != nil {
		return nil, err
	}
	var answer struct {
		Messages []inbox.Message `json:"messages"`
	}
	err = json.Unmarshal([]byte(page.Body), &answer)
	return answer.Messages, err
}

// SignIn goes through the hosted page, which asks for nothing while it knows the browser.
func (m *Member) SignIn(ctx context.Context) error {
	page, err := m.Get(ctx, "/auth/sign-in?return_to=/journey")
	if err != nil {
		return err
	}
	if page.Request.URL.Path != "/journey" {
		page, err = m.Submit(ctx, page, map[string]string{"login": m.Username, "password": m.Password})
		if err != nil {
			return err
		}
	}
	session, err := m.Session.GetSession(ctx, &webv1.GetSessionRequest{})
	if err != nil {
		return err
	}
	if session.GetMember() == nil {
		return fmt.Errorf("nobody is signed in: %s %s", page.Status, page.Body)
	}
	m.UID = session.GetMember().GetUid()
	return nil
}

// Credits are what the member sees beside My Journey.
func (m *Member) Credits(ctx context.Context) (*webv1.Credits, error) {
	session, err := m.Session.GetSession(ctx, &webv1.GetSessionRequest{})
	if err != nil {
		return nil, err
	}
	if session.GetMember() == nil {
		return nil, errors.New("nobody is signed in")
	}
	return session.GetMember().GetCredits(), nil
}

// SmallRequest is a request for a small meditation with voice only.
func SmallRequest(title string) *webv1.GenerateRequest {
	return &webv1.GenerateRequest{
		Title: title, TypeId: "anxiety-relief", PracticeId: "secular-mindfulness", SizeId: "minimed",
		IdempotencyKey: uuid.NewString(), LocalDate: time.Now().Format(time.DateOnly),
	}
}

// Generate asks for a meditation, and again while the studio is full, as it says that people should: on a slow machine a few are enough.
func (m *Member) Generate(ctx context.Context, request *webv1.GenerateRequest) (made *webv1.Meditation, err error) {
	full := Eventually(ctx, "room in the studio", func(ctx context.Context) (bool, error) {
		made, err = m.GenerateOnce(ctx, request)
		return RefusalOf(err).Reason != "GENERATION_BUSY", nil
	})
	return made, errors.Join(full, err)
}

// GenerateOnce asks for a meditation, and takes a full studio for an answer.
func (m *Member) GenerateOnce(ctx context.Context, request *webv1.GenerateRequest) (*webv1.Meditation, error) {
	res, err := m.Generator.Generate(ctx, request)
	if err != nil {
		return nil, err
	}
	return res.GetMeditation(), nil
}

// LongRequest is a request for the longest size, of which a quarter takes a while: until then cancelling is free.
func LongRequest(title string) *webv1.GenerateRequest {
	request := SmallRequest(title)
	request.SizeId = "timeout"
	return request
}

// Cancel stops a meditation for the price that stands at the moment.
func (m *Member) Cancel(ctx context.Context, id string) error {
	return Eventually(ctx, "the terms stand still", func(ctx context.Context) (bool, error) {
		found, err := m.Meditation(ctx, id)
		if err != nil {
			return false, err
		}
		_, err = m.Generator.CancelMeditation(ctx, &webv1.CancelMeditationRequest{
			Id: id, AcceptedPrice: found.GetMeditation().GetCancelTerms().GetPrice(),
		})
		if RefusalOf(err).Reason == "CANCEL_TERMS_CHANGED" {
			return false, nil
		}
		return err == nil, err
	})
}

// Meditation reads one with its segments.
func (m *Member) Meditation(ctx context.Context, id string) (*webv1.GetMeditationResponse, error) {
	res, err := m.Generator.GetMeditation(ctx, &webv1.GetMeditationRequest{Id: id})
	if err != nil {
		return nil, err
	}
	return res, nil
}

// AwaitStage waits until a meditation has come as far as stage.
func (m *Member) AwaitStage(ctx context.Context, id string, stage webv1.Stage) error {
	return Eventually(ctx, stage.String(), func(ctx context.Context) (bool, error) {
		res, err := m.Meditation(ctx, id)
		return res.GetMeditation().GetStage() >= stage, err
	})
}

// AwaitEnd waits until a meditation is ready, failed or cancelled.
func (m *Member) AwaitEnd(ctx context.Context, id string) (*webv1.Meditation, error) {
	var found *webv1.Meditation
	err := Eventually(ctx, "the end of the meditation", func(ctx context.Context) (bool, error) {
		res, err := m.Meditation(ctx, id)
		if err != nil {
			return false, err
		}
		found = res.GetMeditation()
		return found.GetStage() >= webv1.Stage_STAGE_READY, nil
	})
	return found, err
}
