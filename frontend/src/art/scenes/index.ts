import { anger } from "./anger";
import { anxietyRelief } from "./anxiety-relief";
import { betterSleep } from "./better-sleep";
import { compassion } from "./compassion";
import { focusAndConcentration } from "./focus-and-concentration";
import { gratitude } from "./gratitude";
import { lovingKindness } from "./loving-kindness";
import { mindfulness } from "./mindfulness";
import { relationships } from "./relationships";
import { resilience } from "./resilience";
import { stressRelief } from "./stress-relief";
import { trauma } from "./trauma";
import { uncategorized } from "./uncategorized";
import type { Canvas } from "../canvas";
import type { Category } from "../inks";

/** The scene of each category. */
export const SCENES: Record<Category, (c: Canvas) => string> = {
  Anger: anger,
  "Anxiety Relief": anxietyRelief,
  "Better Sleep": betterSleep,
  Compassion: compassion,
  "Focus and Concentration": focusAndConcentration,
  Gratitude: gratitude,
  "Loving Kindness": lovingKindness,
  Mindfulness: mindfulness,
  Relationships: relationships,
  Resilience: resilience,
  "Stress Relief": stressRelief,
  Trauma: trauma,
  Uncategorized: uncategorized,
};
