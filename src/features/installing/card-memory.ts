// When the offer to install is made: on this device, once.

const KEY = 'install_card'
const DISMISSED = 'dismissed'
const DUE_AT = 2

let lastPlanId: string | undefined

/** Counts a plan that is looked at; true from the second one on, until the card is dismissed. */
export function countPlan(plan_id: string, storage = localStorage): boolean {
  try {
    const stored = storage.getItem(KEY)
    if (stored === DISMISSED) return false
    const count = Math.min(DUE_AT, Number(stored ?? 0) + (plan_id === lastPlanId ? 0 : 1))
    lastPlanId = plan_id
    storage.setItem(KEY, String(count))
    return count >= DUE_AT
  } catch {
    // Where nothing is remembered, nobody is asked each time.
    return false
  }
}

export function dismissCard(storage = localStorage): void {
  try {
    storage.setItem(KEY, DISMISSED)
  } catch {
    // It was shown because storage worked; it is gone for now.
  }
}
