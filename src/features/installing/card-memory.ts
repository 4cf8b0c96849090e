// Decides when to offer installation: once per device.

const KEY = 'install_card'
const DISMISSED = 'dismissed'
const DUE_AT = 2

let lastPlanId: string | undefined

/** Counts a visited plan; true from the second one on, until the card is dismissed. */
export function countPlan(plan_id: string, storage = localStorage): boolean {
  try {
    const stored = storage.getItem(KEY)
    if (stored === DISMISSED) return false
    const count = Math.min(DUE_AT, Number(stored ?? 0) + (plan_id === lastPlanId ? 0 : 1))
    lastPlanId = plan_id
    storage.setItem(KEY, String(count))
    return count >= DUE_AT
  } catch {
    // Without storage the dismissal could not be remembered, so never offer.
    return false
  }
}

/** Stops the card from being offered on this device. */
export function dismissCard(storage = localStorage): void {
  try {
    storage.setItem(KEY, DISMISSED)
  } catch {
    // Storage failed after the card was shown; it is hidden for this visit only.
  }
}
