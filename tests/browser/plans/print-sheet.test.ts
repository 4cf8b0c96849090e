// The sheet for the customer shows what the team wrote for itself.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { composer } from '../fixtures/app.ts'
import { axeViolationsOf } from '../fixtures/axe-violations.ts'
import { openPlanFixture } from '../fixtures/open-plan-fixture.ts'
import { longTest } from '../../long-test.ts'

longTest(
  'no control is printed, and updates and health only when chosen; the choice is remembered',
  async () => {
    const { ada, page, plan, url } = await openPlanFixture()
    await ada.postUpdate(plan, { body: 'They leave unless we show value.', health: 'off-track' })
    await ada.postUpdate(plan, { body: 'Go-live is agreed.' })
    await page.getByText('Go-live is agreed.').first().waitFor()
    const controls = [page.getByRole('banner'), page.getByRole('button'), composer(page)]
    const shown = async () =>
      (await Promise.all(controls.map((one) => one.filter({ visible: true }).count()))).map(Boolean)
    expect(await shown()).toEqual([true, true, true])
    await page.emulateMedia({ media: 'print' })
    expect(await shown()).toEqual([false, false, false])
    await page.emulateMedia({ media: 'screen' })
    await page.goto(`${url}/success-plans/${plan.id}?print`)
    const sheet = page.getByRole('article')
    const onPaper = async (text: string) => await sheet.getByText(text, { exact: true }).isVisible()
    await page.getByText('Updates on the sheet: 0 of').waitFor()
    await page.emulateMedia({ media: 'print' })
    const words = await sheet.innerText()
    expect(words).toContain(plan.title)
    expect(words).not.toMatch(/They leave|Go-live is agreed|Off track|Behind/)
    // On the width of paper, progress comes before the facts and texts.
    await page.setViewportSize({ width: 700, height: 990 })
    const topOf = async (text: string) =>
      (await sheet.getByText(text).first().boundingBox())?.y ?? 0
    expect(await topOf('Progress over time')).toBeLessThan(await topOf('Owner'))

    await page.emulateMedia({ media: 'screen' })
    await page.getByText('Updates on the sheet: 0 of').click()
    await page.getByRole('checkbox', { name: /Go-live/ }).check()
    await page.getByRole('checkbox', { name: 'Health' }).check()
    expect(await axeViolationsOf(page, 'print sheet with its options')).toEqual([])
    await page.waitForFunction(() => document.querySelectorAll('article section').length >= 2)
    await page.goto(`${url}/success-plans/${plan.id}`)
    await page.getByText('Go-live is agreed.').first().waitFor()
    await page.goto(`${url}/success-plans/${plan.id}?print`)
    await page.getByText('Updates on the sheet: 1 of').waitFor()
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => onPaper('Go-live is agreed.')).toBe(true)
    await expect.poll(() => onPaper('Off track')).toBe(true)
    expect(await sheet.innerText()).not.toContain('They leave')
  },
)

test('the sheet is saved as a file that opens by itself, without what was not chosen', async () => {
  const { ada, page, plan, url, network } = await openPlanFixture()
  await ada.postUpdate(plan, { body: 'They leave unless we show value.', health: 'off-track' })
  await ada.postUpdate(plan, { body: 'Go-live is **agreed** <script>alert(1)</script>' })
  await page.getByText('Go-live is').first().waitFor()
  await page.goto(`${url}/success-plans/${plan.id}?print`)
  await page.getByText('Updates on the sheet: 0 of').click()
  await page.getByRole('checkbox', { name: /Go-live/ }).check()
  await network.goDown()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as a file' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/\.html$/)
  const file = await page.context().newPage()
  const problems: string[] = []
  file.on('console', (message) => problems.push(message.text()))
  file.on('request', (request) => problems.push(request.url()))
  const path = join(await mkdtemp(join(tmpdir(), 'sheet-')), 'sheet.html')
  await download.saveAs(path)
  await file.goto(pathToFileURL(path).href)
  // The file itself; nothing else was asked for.
  problems.shift()
  expect(await file.locator('h1').innerText()).toBe(plan.title)
  expect(await file.locator('strong').innerText()).toBe('agreed')
  const words = await file.locator('body').innerText()
  expect(words).toContain('<script>alert(1)</script>')
  expect(await file.content()).not.toMatch(/They leave|Off track/)
  expect(problems).toEqual([])
})
