/** What the generator says of those outside Serein who help to make a meditation. */

const NAME = "your first name if it is said";

/** `writer` and `speaker` are named by the operator; "" for Serein's own. */
function whereItGoes(writer: string, speaker: string): string {
  if (writer && speaker && writer !== speaker)
    return `${writer} writes this one and ${speaker} speaks it. Your title goes to both, and ${NAME}.`;
  if (writer && speaker) return `${writer} writes and speaks this one. Your title goes there, and ${NAME}.`;
  if (writer) return `${writer} writes this one. Your title goes there, and ${NAME}.`;
  if (speaker)
    return `${speaker} speaks this one. Its words go there, your title and first name among them where they are said.`;
  return "Nothing of this one leaves Serein, with the voice it has now.";
}

export const outside = {
  keep: "Keep this meditation inside Serein",
  kept: "Our own writer and narrators make it, and nobody else gets a word of it. We’ll offer the same next time.",
  goes: whereItGoes,
  more: "What goes with it, and what doesn’t",
};
