import { expect, type Locator, type Page } from "@playwright/test";
import { api } from "../api";

const ADDRESSES = {
  admin: "/admin/messages",
  client: "/client/messages",
  user: "/dashboard/messages",
};

/** The messages of whoever is signed in. */
export class Chat {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(as: keyof typeof ADDRESSES): Promise<void> {
    await this.page.goto(ADDRESSES[as]);
    await expect(this.page.getByRole("heading", { level: 1, name: "Messages" })).toBeVisible();
  }

  /** Chooses somebody under "New Message", by the keyboard. */
  async begin(name: string): Promise<void> {
    await this.page.getByRole("button", { name: "New Message" }).click();
    await this.page.getByRole("combobox", { name: "Search people" }).fill(name);
    await expect(this.page.getByRole("option", { name })).toBeVisible();
    await this.page.keyboard.press("Enter");
    await expect(this.field(name)).toBeFocused();
  }

  async send(name: string, text: string): Promise<void> {
    await this.field(name).fill(text);
    await this.page.keyboard.press("Enter");
    await expect(this.field(name)).toHaveValue("");
  }

  field(name: string): Locator {
    return this.page.getByRole("textbox", { name: `Message ${name}` });
  }

  /** A line of the list. */
  line(name: string | RegExp): Locator {
    return this.page.getByRole("navigation", { name: "Conversations" }).getByRole("link", { name });
  }

  /** The scrolling element of the open conversation. */
  scroller(): Locator {
    return this.page.getByRole("region", { name: /^Messages with / });
  }

  /** A message of the open conversation. */
  message(text: string): Locator {
    return this.scroller().getByRole("listitem").filter({ hasText: text });
  }

  /** Waits until the scroll position has not changed for some frames. */
  async isStill(): Promise<void> {
    await this.scroller().evaluate(async (scroller) => {
      for (let still = 0, before = -1; still < 10; before = scroller.scrollTop + scroller.scrollHeight) {
        await new Promise(requestAnimationFrame);
        still = before === scroller.scrollTop + scroller.scrollHeight ? still + 1 : 0;
      }
    });
  }

  /** The first visible message: its text, its position, and the height of the scrolled content. */
  firstInView(): Promise<{ text: string; top: number; height: number }> {
    return this.scroller().evaluate((scroller) => {
      const { top } = scroller.getBoundingClientRect();
      const texts = [...scroller.querySelectorAll("li p:last-of-type")].map((one) => ({
        text: one.textContent ?? "",
        at: one.getBoundingClientRect().top - top,
      }));
      const first = texts.filter(({ at }) => at >= 0).sort((one, other) => one.at - other.at)[0];
      return { text: first?.text ?? "", top: first?.at ?? Number.NaN, height: scroller.scrollHeight };
    });
  }

  /** The distance of a message from the top of the scrolling element, in CSS pixels. */
  async topOf(text: string): Promise<number> {
    const shown = this.message(text).getByText(text, { exact: true });
    const [message, scroller] = await Promise.all([shown.boundingBox(), this.scroller().boundingBox()]);
    return (message?.y ?? Number.NaN) - (scroller?.y ?? Number.NaN);
  }
}

/** Begins a conversation without the screen, as whoever is signed in on that page. Answers with its id. */
export async function startConversation(page: Page, recipientName: string, text: string): Promise<string> {
  const { chat } = api(page);
  const recipient = (await chat.recipients.query()).find(({ name }) => name === recipientName);
  const clientMessageId = crypto.randomUUID();
  const { conversation } = await chat.start.mutate({ recipientId: recipient?.id ?? "", text, clientMessageId });
  return conversation.id;
}

/** Sends one message without the screen. */
export async function sendMessage(page: Page, conversationId: string, text: string): Promise<void> {
  await api(page).chat.send.mutate({ conversationId, text, clientMessageId: crypto.randomUUID() });
}

/** Pretends that the tab is hidden or visible. */
export function setVisibility(page: Page, state: DocumentVisibilityState): Promise<void> {
  return page.evaluate((next) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => next });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
}
