/** Samples a second of everything the timer sounds: its bells have nothing above 12 kHz. */
export const RATE = 24_000;

const BYTES_PER_SAMPLE = 2;
const HEADER_BYTES = 44;

/** Samples in that many milliseconds. */
export const samplesIn = (ms: number): number => Math.round((ms * RATE) / 1000);

/** Bytes that so many samples take in the file. */
export const bytesOf = (samples: number): number => samples * BYTES_PER_SAMPLE;

/** Sound of -1 to 1 as 16-bit samples, least byte first; louder sound is cut off at the limits. */
export function bytesOfSound(sound: Float32Array): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(bytesOf(sound.length)));
  for (let i = 0; i < sound.length; i++) {
    const value = Math.max(-1, Math.min(1, sound[i] ?? 0));
    view.setInt16(i * BYTES_PER_SAMPLE, Math.round(value * 32_767), true);
  }
  return new Uint8Array(view.buffer);
}

/** The same as a part of a file. */
export const pcmOf = (sound: Float32Array): Blob => new Blob([bytesOfSound(sound)]);

/** The parts as one WAV file. The browser keeps a part that comes again once, so a long file takes the memory of its different parts. */
export function wavOf(parts: readonly Blob[]): Blob {
  const length = parts.reduce((sum, part) => sum + part.size, 0);
  const view = new DataView(new ArrayBuffer(HEADER_BYTES));
  const text = (at: number, letters: string) => {
    for (let i = 0; i < letters.length; i++) view.setUint8(at + i, letters.charCodeAt(i));
  };
  text(0, "RIFF");
  view.setUint32(4, HEADER_BYTES - 8 + length, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true); // length of the format part
  view.setUint16(20, 1, true); // PCM
  view.setUint16(22, 1, true); // one channel
  view.setUint32(24, RATE, true);
  view.setUint32(28, bytesOf(RATE), true); // bytes a second
  view.setUint16(32, BYTES_PER_SAMPLE, true);
  view.setUint16(34, 16, true); // bits a sample
  text(36, "data");
  view.setUint32(40, length, true);
  return new Blob([view, ...parts], { type: "audio/wav" });
}
