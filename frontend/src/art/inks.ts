/** Seven inks for each scene, by day and by night: sky top, sky low, far, middle, near, light, water. */
export const INKS = {
  Anger: [
    "#4a4a4e #e9a877 #8d5a48 #5d4340 #2b2b30 #fbdcae #8f6354",
    "#15191d #7a4634 #4a302b #332626 #121519 #f0b98a #3a2b2b",
  ],
  "Anxiety Relief": [
    "#d3e0d6 #8fb3a8 #86ab9f #3f746d #22504d #fffaf0 #b4cdc2",
    "#16302f #0f2022 #2b5653 #1f4543 #3f7a72 #bfe0d6 #18393a",
  ],
  "Better Sleep": [
    "#16323c #6f9a94 #416d6e #2b5258 #14292f #f6ead0 #2f5a5f",
    "#0a161b #28484d #1d3a40 #152d33 #091317 #ecdfc2 #14292f",
  ],
  Compassion: [
    "#e9d5c3 #f7e6cf #d3ad93 #a9ada0 #4d7b74 #fffaf0 #d9c9b6",
    "#1b2527 #5c4a41 #4f443e #33474a #16292b #f4dcb9 #2c3a3c",
  ],
  "Focus and Concentration": [
    "#eae2d2 #ddd0b8 #bfae90 #6b7a72 #2f3f40 #fbf7ec #cdbd9f",
    "#1c2526 #141b1d #3d4644 #4d5f59 #0d1416 #d8d2c0 #2c3635",
  ],
  Gratitude: [
    "#f5e3bd #eec489 #c79a5c #94793f #4d4a2b #fff6df #e3b675",
    "#1f2320 #6d5330 #5a4629 #40391f #1a1d15 #f0cf94 #4b3d25",
  ],
  "Loving Kindness": [
    "#2f545c #e0b08f #4c6c6c #2f5157 #17343b #ffe3a8 #3b6468",
    "#0d1b20 #6a4d43 #233a40 #182d33 #0a171b #ffd796 #172c32",
  ],
  Mindfulness: [
    "#dbe4dd #f6ecdd #bfcfc7 #86a8a0 #356661 #fffaf0 #d9e2da",
    "#101d20 #2d4446 #2a4345 #1e3638 #0d1f21 #e9dfc8 #20383a",
  ],
  Relationships: [
    "#d5e1d8 #f5e4c8 #a9c2b4 #6f9a8c #2e5f5b #fff4dd #bcd2c6",
    "#122022 #4a4a42 #26403f #1c3434 #0f2324 #f2dcb4 #1b3334",
  ],
  Resilience: [
    "#c9dcd9 #f6e0c0 #a4bdb8 #5f8d8a #21403f #f2b672 #7fa7a2",
    "#0f1d20 #514438 #2b4042 #1e3739 #0a1618 #e8ae6e #1b3538",
  ],
  "Stress Relief": [
    "#93b3ae #f2dfc0 #7c9f99 #55807c #274e4e #fff3da #9fbdb4",
    "#10211f #4b4e45 #25413f #1b3434 #0d2020 #eedcb6 #1c3837",
  ],
  Trauma: [
    "#4a6469 #f0bf8f #5b7473 #35545a #18303a #ffe9c4 #2b464b",
    "#0f1a1e #6b4d39 #263b40 #1a2d32 #0a1519 #f8d5a2 #14252a",
  ],
  Uncategorized: [
    "#f1e6d4 #f7e3c2 #e2bf92 #c9985f #7f5c3c #fffaf0 #dcb384",
    "#141c1f #3f3d37 #4b4236 #39322a #191a19 #ecdcb8 #2b2a26",
  ],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

/** The thirteen categories of the product; each has its scene. */
export type Category = keyof typeof INKS;
export const CATEGORIES = Object.keys(INKS) as Category[];

export type Theme = "light" | "dark";

/** The hour: each seed leans the sky a little towards dawn, noon or dusk. Colour and weight. */
export const HOURS: Record<Theme, readonly (string | null)[]> = {
  light: [null, "#f3c9a0 .34", "#c4dad6 .4", "#e8b9a0 .26", "#f7ecd0 .4"],
  dark: [null, "#6a4a3c .3", "#1f4a4c .34", "#3c3a4a .3", "#0a1316 .4"],
};

/** `a` with the share `t` (0 to 1) of `b`; both are #rrggbb. */
export const mix = (a: string, b: string, t: number): string => {
  const channel = (i: number) =>
    Math.round(parseInt(a.slice(i, i + 2), 16) * (1 - t) + parseInt(b.slice(i, i + 2), 16) * t)
      .toString(16)
      .padStart(2, "0");
  return `#${[1, 3, 5].map(channel).join("")}`;
};
