// What is checked on a screen after each step.
import type { Page } from 'playwright-core'
import { SAVED } from '../fixtures/app.ts'
import { axeViolationsNow } from '../fixtures/axe-violations.ts'
import type { Situation } from './action.ts'

const ID = /[0-9a-f]{8}-[0-9a-f-]{27}/g

/** In the page: what is written beside each mark that something is saved on this device. */
function textsBesideMarks(saved: string): string[] {
  return [...document.querySelectorAll('article span, li span')]
    .filter((mark) => mark.textContent.trim() === saved && mark.checkVisibility())
    .map((mark) => mark.closest('article, li')?.textContent ?? '')
}

/** The texts of this user that the screen calls saved on this device. */
export async function savedTexts(page: Page, author: string): Promise<string[]> {
  return markersOf(await page.evaluate(textsBesideMarks, SAVED), author)
}

/** The markers of what this user typed: a title beside the user's mark may be another user's. */
export const markersOf = (texts: readonly string[], author: string): string[] =>
  texts.flatMap((text) => text.match(new RegExp(`\\bw\\d+x\\d+x\\d+w(?= of ${author})`, 'g')) ?? [])

/** Checks each kind of screen once per exploration. */
export class AxeSample {
  readonly #seen = new Set<string>()

  async check({ device, page, view }: Pick<Situation, 'device' | 'page' | 'view'>): Promise<void> {
    const { dialog, url } = view
    const screen = `${device.name} ${url.pathname.replaceAll(ID, ':id')} ${dialog ?? ''}`
    if (this.#seen.has(screen)) return
    this.#seen.add(screen)
    // Until its record is read, a screen has no heading. If none comes, axe reports it.
    await page
      .locator('h1')
      .first()
      .waitFor({ state: 'attached' })
      .catch(() => undefined)
    const violations = await axeViolationsNow(page, screen)
    if (violations.length > 0)
      device.violate('axe has no violation on the screens visited', violations.join('\n'))
  }
}
