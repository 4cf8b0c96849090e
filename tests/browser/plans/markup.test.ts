// Markup written by others is harmless under the real server's policy: no script runs, and no other
// origin is contacted.
import { expect, test } from 'vitest'
import { openPlanFixture } from '../fixtures/open-plan-fixture.ts'
import { card, openPlan, planRow, waitForOfflineReady } from '../fixtures/app.ts'

const PAYLOADS = [
  '<script>window.pwned = 1</script>',
  '<img src=x onerror="window.pwned = 1">',
  '![picture](https://example.com/track.png)',
  '[harmless](javascript:window.pwned=1)',
  '[harmless](data:text/html,<script>opener.pwned=1</script>)',
  '<svg onload=window.pwned=1><style>@import "https://example.com/x.css";</style>',
  '**<iframe srcdoc="<script>parent.pwned=1</script>">**',
]

test('markup in updates, titles and names runs no code', async () => {
  const { account, ada, page, plan, url } = await openPlanFixture()
  // Each document has a window of its own.
  const expectNoCode = async () =>
    expect(await page.evaluate(() => Reflect.get(window, 'pwned'))).toBeUndefined()
  for (const body of PAYLOADS) await ada.postUpdate(plan, { body })
  await ada.postUpdate(plan, {
    body: 'Agreed: **go-live** in *May*, see [the plan](https://example.com/plan)\n- train `ops`',
  })
  const titled = await ada.createPlan({ account_id: account.id, title: PAYLOADS[1] })
  await ada.createAccount({ name: PAYLOADS[0] })

  await card(page, 'Agreed:').waitFor()
  for (const body of PAYLOADS)
    await card(page, /[a-z]{6,}/.exec(body)?.[0] ?? '')
      .first()
      .waitFor()
  const agreed = card(page, 'Agreed:')
  expect(await agreed.locator('strong').textContent()).toBe('go-live')
  expect(await agreed.locator('li').textContent()).toBe('train ops')
  const link = agreed.getByRole('link')
  expect(await link.getAttribute('href')).toBe('https://example.com/plan')
  expect(await link.getAttribute('rel')).toContain('noopener')
  const feed = page.getByRole('article')
  expect(await feed.locator('img, script, iframe, style, [onerror], [onload]').count()).toBe(0)
  expect(await feed.locator('a:not([href^="https://"])').count()).toBe(0)

  await expectNoCode()

  await page.goto(`${url}/accounts`)
  await page.getByText('window.pwned').first().waitFor()
  await expectNoCode()
  await page.goto(`${url}/success-plans`)
  await waitForOfflineReady(page)
  await planRow(page, titled).waitFor()
  await openPlan(page, titled)
  await expectNoCode()
  await page.goto(`${url}/success-plans/${plan.id}?print`)
  await page.getByText(/^Updates on the sheet/).click()
  await page.getByRole('checkbox', { name: /Agreed:/ }).check()
  await page.locator('article strong').getByText('go-live').waitFor()
  await expectNoCode()
})

test('direction marks in a text do not reorder what stands around it', async () => {
  const { ada, page, plan } = await openPlanFixture()
  await ada.postUpdate(plan, { body: 'Mirrored \u202Eetirw https://example.com/plan' })
  const link = card(page, 'Mirrored').getByRole('link')
  await link.waitFor()
  const isForwards = await link.evaluate((element) => {
    const text = element.querySelector('bdi, span')?.firstChild
    if (!text) return false
    const leftOf = (at: number) => {
      const range = document.createRange()
      range.setStart(text, at)
      range.setEnd(text, at + 1)
      return range.getBoundingClientRect().left
    }
    return leftOf(0) < leftOf(8)
  })
  expect(isForwards).toBe(true)
})
