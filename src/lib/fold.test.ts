import { expect, test } from "vitest";
import { fold } from "./fold";

test.each([
  ["composed or not", "E\u0301lan", "Élan"],
  ["accents", "ÉLAN", " elan "],
  ["Vietnamese tones", "Việt", "viet"],
  ["Hebrew points", "שָׁלוֹם", "שלום"],
  ["Arabic harakat and hamza", "مُحَمَّد أحمد", "محمد احمد"],
  ["kana composed or not", "ハ\u3099ス", "バス"],
  ["wide and narrow forms", "ﾊﾞｽ Ａ", "バス a"],
  ["Hangul composed or not", "한글", "한글".normalize("NFD")],
  ["how an emoji is drawn", "❤\uFE0F", "❤"],
])("%s make no difference", (_what, one, other) => {
  expect(fold(one)).toBe(fold(other));
});

test.each([
  ["Hindi vowels", "दिन", "दान"],
  ["the Hindi virama", "पत्ता", "पतता"],
  ["Thai vowels", "กิน", "กัน"],
  ["Thai tones", "ข้าว", "ขาว"],
  ["Tamil vowels", "கல்", "கால்"],
  ["dakuten", "バス", "ハス"],
])("%s do", (_what, one, other) => {
  expect(fold(one)).not.toBe(fold(other));
  expect(fold(one)).not.toContain(fold(other));
});
