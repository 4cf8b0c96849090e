/** Asks again and again until the answer is something; fails with `what` after `patience` ms. */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  patience = 60_000,
): Promise<NonNullable<Exclude<T, false>>> {
  const end = Date.now() + patience
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== null && answer !== false)
      return answer as NonNullable<Exclude<T, false>>
    if (Date.now() > end) throw new Error(`Waited ${patience} ms in vain: ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, 40))
  }
}
