import { expect, test, vi } from "vitest";
import { TERMS_VERSION } from "@/copy/texts";
import type { UpdateConsentsRequest } from "@/gen/serein/web/v1/account_pb";
import { ConsentService } from "@/gen/serein/web/v1/account_pb";
import { member } from "@/testing/member";
import { axeFaults, show } from "@/testing/page";
import { ConsentDialog } from "./ConsentDialog";

const NONE = { essentials: false, terms: false, analytics: false, marketing: false, termsVersion: "" };

async function open(given: Partial<typeof NONE> = {}, onClose?: () => void) {
  const sent: UpdateConsentsRequest[] = [];
  const shown = await show(<ConsentDialog onClose={onClose} />, {
    member: member({ consentsMissing: true }),
    gateway: ({ service }) =>
      service(ConsentService, {
        getConsents: () => ({ consents: { ...NONE, ...given } }),
        updateConsents: (request) => {
          sent.push(request);
          return { consents: request.consents };
        },
      }),
  });
  return {
    ...shown,
    sent,
    update: shown.screen.getByRole("button", { name: "Update Consent and Preferences" }),
  };
}

test("it cannot be sent before essentials and terms are on, and nothing else is switched on for the member", async () => {
  const { screen, sent, update, session } = await open();
  await expect.element(update).toHaveAttribute("aria-disabled", "true");
  await screen.getByLabelText("Essentials").click();
  await expect.element(update).toHaveAttribute("aria-disabled", "true");
  await screen.getByLabelText("Terms and privacy").click();
  expect(await axeFaults()).toEqual([]);
  await update.click();
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.consents).toMatchObject({
    essentials: true,
    terms: true,
    analytics: false,
    marketing: false,
    termsVersion: TERMS_VERSION,
  });
  await vi.waitFor(() => expect(session.get().member?.consentsMissing).toBe(false));
});

test("what was given is on, and can be withdrawn", async () => {
  const given = { essentials: true, terms: true, marketing: true, termsVersion: TERMS_VERSION };
  const onClose = vi.fn<() => void>();
  const { screen, sent, update } = await open(given, onClose);
  await screen.getByLabelText("Marketing").click();
  await update.click();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(sent[0]?.consents?.marketing).toBe(false);
});

test("terms that were agreed to in an earlier version are asked for again", async () => {
  const { screen } = await open({ essentials: true, terms: true, termsVersion: "2020-01-01" });
  await expect.element(screen.getByLabelText("Terms and privacy")).not.toBeChecked();
  await expect.element(screen.getByLabelText("Essentials")).toBeChecked();
});
