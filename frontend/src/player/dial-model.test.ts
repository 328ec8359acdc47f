import { describe, expect, it } from "vitest";
import { angleShare, dotAt, dragTo, keySeek, onRing } from "./dial-model";

describe("the ring", () => {
  it("reads a point as a share of the circle from 12 o'clock", () => {
    expect(angleShare(0, -100)).toBe(0);
    expect(angleShare(100, 0)).toBeCloseTo(0.25);
    expect(angleShare(0, 100)).toBeCloseTo(0.5);
    expect(angleShare(-100, 0)).toBeCloseTo(0.75);
  });

  it("clamps a drag at 12 o'clock in both directions", () => {
    expect(dragTo(0.05, 0.97)).toBe(0);
    expect(dragTo(0.95, 0.02)).toBe(1);
    expect(dragTo(0, 0.9)).toBe(0);
    expect(dragTo(0.4, 0.6)).toBe(0.6);
  });

  it("is held at its rim, not in its middle", () => {
    expect(onRing(0, -180, 190)).toBe(true);
    expect(onRing(0, -100, 190)).toBe(false);
    expect(onRing(150, 150, 190)).toBe(true);
  });

  it("places a silence where it is heard", () => {
    expect(dotAt(0.25).cx).toBeCloseTo(390);
    expect(dotAt(0.5).cy).toBeCloseTo(390);
  });

  it("moves by keys: 5 s, 15 s and to the ends", () => {
    expect(keySeek("ArrowRight", 10_000, 60_000)).toBe(15_000);
    expect(keySeek("ArrowDown", 2_000, 60_000)).toBe(0);
    expect(keySeek("PageUp", 50_000, 60_000)).toBe(60_000);
    expect(keySeek("Home", 50_000, 60_000)).toBe(0);
    expect(keySeek("End", 0, 60_000)).toBe(60_000);
    expect(keySeek("Tab", 0, 60_000)).toBeNull();
  });
});
