/** How so many things stand: three beside each other where that leaves none alone, else with two wide ones first. */
export const rowsOf = (things: number): string => (things % 3 === 0 ? "thirds" : "lead");
