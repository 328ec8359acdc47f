const SCENES: Record<string, string> = {
  "stress-relief": "Stress Relief",
  "loving-kindness": "Loving Kindness",
  "better-sleep": "Better Sleep",
  "focus-concentration": "Focus and Concentration",
  mindfulness: "Mindfulness",
  compassion: "Compassion",
  gratitude: "Gratitude",
  "anxiety-relief": "Anxiety Relief",
  resilience: "Resilience",
  relationships: "Relationships",
  anger: "Anger",
};

/** The print's scene for a meditation type; a type we have no scene for gets the dunes. */
export const sceneOf = (typeId: string): string => SCENES[typeId] ?? "Uncategorized";
