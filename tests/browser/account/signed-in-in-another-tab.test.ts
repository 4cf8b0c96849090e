// The user signs in again in one tab while another one shows the sign-in screen.
import { test } from 'vitest'
import { chooseSignOut, fillSignIn } from '../fixtures/app.ts'
import { openPlanFixture, openSecondTab } from '../fixtures/open-plan-fixture.ts'

test('the other tab leaves the sign-in screen', async () => {
  const scene = await openPlanFixture()
  const { ada, page } = scene
  const other = await openSecondTab(scene)
  await page.bringToFront()
  await chooseSignOut(page)
  await page.waitForURL(/\/auth/)
  await other.waitForURL(/\/auth/)
  await fillSignIn(page, ada)
  await page.waitForURL(/\/organisations/)
  await other.bringToFront()
  await other.waitForURL(/\/organisations\?redirect=%2Fsuccess-plans/)
  await other.getByRole('heading', { name: 'Choose an organisation' }).waitFor()
})
