import { expect, test } from "vitest";
import { member } from "@/testing/member";
import { show } from "@/testing/page";
import { useAccountView } from "./account-view";

const View = () => <output>{useAccountView()?.kind ?? "nothing"}</output>;

test.each([
  ["/", "consents"],
  ["/journey", "consents"],
  ["/terms-and-conditions", "nothing"],
  ["/privacy-policy", "nothing"],
  ["/contact", "nothing"],
])("while consents are missing, %s lies under %s", async (path, kind) => {
  const { screen } = await show(<View />, { member: member({ consentsMissing: true }), path });
  await expect.element(screen.getByText(kind)).toBeVisible();
});
