import { create } from "@bufbuild/protobuf";
import { PlanKind } from "@/gen/serein/web/v1/session_pb";
import type { GetMembershipsResponse } from "@/gen/serein/web/v1/shop_pb";
import {
  CardAction,
  GetApparelResponseSchema,
  GetMembershipsResponseSchema,
  GetTopUpsResponseSchema,
  ProductSchema,
} from "@/gen/serein/web/v1/shop_pb";

/** What is sold, as tests and `npm run look` see it. The figures are nobody's. */

export const gbp = (pence: number) => ({ amount: BigInt(pence), currency: "gbp" });

const offer = (price: number, credits: number, action: CardAction) => ({
  price: gbp(price),
  credits: BigInt(credits),
  action,
});

const member = (id: string, name: string, price: number, credits: number, features: string[]) => ({
  id,
  name,
  kind: PlanKind.MEMBER,
  description: "For an evening here and a morning there, with the whole library to choose from.",
  features,
  monthly: offer(price, credits, CardAction.ADD),
  yearly: offer(price * 10, credits * 12, CardAction.ADD),
  badge: "",
});

/** Everything that may stand on the page of memberships, for a visitor. */
export const memberships = (): GetMembershipsResponse =>
  create(GetMembershipsResponseSchema, {
    title: "A place to come back to",
    subtitle:
      "Choose how much of Serein you would like. Every membership can be changed or ended from the Members Area, without a conversation.",
    billing: "Pay yearly and get two months free.",
    plans: [
      {
        id: "free-trial",
        name: "Free trial",
        kind: PlanKind.TRIAL,
        description: "Everything open for a while, and credits to make meditations of your own.",
        trial: { days: 5, invitedDays: 9, credits: 3n },
        action: CardAction.TRIAL,
      },
      member("calm-core", "Core", 811, 21, ["Full Meditation Library access", "New content when available"]),
      {
        ...member("calm-premium", "Premium", 1311, 61, [
          "Full Meditation Library access",
          "Personalized ‘My Journey’",
          "New content when available",
        ]),
        badge: "Best Value",
      },
      {
        ...member("calm-generate", "Generate", 611, 31, ["AI Meditation Generator"]),
        kind: PlanKind.GENERATE,
      },
      {
        id: "bespoke-journey",
        name: "Bespoke Journey",
        kind: PlanKind.ENQUIRY,
        description: "Something longer, made together with you, your workplace, school or clinic.",
        badge: "Coming Soon",
        action: CardAction.ENQUIRE,
      },
    ],
    questionsTitle: "Frequently asked questions",
    questions: [
      {
        question: "What happens when the trial ends?",
        answer: "<p>Nothing is charged, because we never asked for a card.</p>",
      },
      {
        question: "Can I change between memberships?",
        answer: '<p>Yes. See <a href="/memberships">Memberships</a>.</p>',
      },
      {
        question: "Do unused credits roll over?",
        answer: "<p>Top-up credits are yours until you use them.</p>",
      },
    ],
    pricesIncludeVat: true,
  });

const PACKS = [
  [21, 611, 0],
  [41, 1111, 8],
  [61, 1511, 17],
  [81, 1911, 21],
  [101, 2311, 23],
] as const;

export const topUps = (allowed = true, trial = false) =>
  create(GetTopUpsResponseSchema, {
    topUps: PACKS.map(([credits, price, saving]) => ({
      id: `credits-${credits}`,
      name: `${credits} credits`,
      description: "A few quiet evenings in hand.",
      credits: BigInt(credits),
      price: gbp(price),
      saving,
      purchasable: true,
    })),
    allowed,
    trial,
  });

const SIZES = ["S", "M", "L", "XL", "XXL"].map((name) => ({ name, soldOut: name === "XXL" }));

const product = (id: string, name: string, price: number, more: object = {}) =>
  create(ProductSchema, {
    id,
    name,
    description: "Soft and plain, with a small picture from the library on it.",
    details: ["Organic cotton, in oat", "Wash cool, dry on a line"],
    price: gbp(price),
    // A file that is there, so that tests ask nobody else; `npm run look` answers with another.
    picture: { url: `/icon.svg?${id}`, alt: `${name}, on a hanger.`, width: 400, height: 500 },
    purchasable: true,
    ...more,
  });

export const apparel = () =>
  create(GetApparelResponseSchema, {
    title: "Soft things for slow hours",
    description: "A few things to wear, carry and lie under. Each has a picture from the library on it.",
    products: [
      product("tee", "The leaning pine tee", 2811, { sizes: SIZES }),
      product("sweatshirt", "Late lake sweatshirt", 4811, { sizes: SIZES.slice(0, 4) }),
      product("socks", "Rain socks", 1211, { sizes: [{ name: "4 to 7" }, { name: "8 to 11" }] }),
      product("tote", "Half-way tote", 1611),
      product("pillow", "Linen eye pillow", 1811, { soldOut: true }),
      product("cushion", "Two-stone cushion", 5411, { picture: undefined }),
    ],
    notes: [
      { title: "Delivery", text: "We’ll ask for your address at the checkout." },
      { title: "Sizes", text: "Cut for ease rather than for the mirror." },
      { title: "Changing your mind", text: "Send it back unworn, and the whole amount is returned." },
    ],
  });
