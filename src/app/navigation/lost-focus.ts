/**
 * From now on, when the focused control disappears or is disabled, its nearest ancestor that remains and
 * can take the focus gets it, at least `main`. Browsers move it to the body, and the position in the page
 * is lost for the keyboard and for screen readers.
 *
 * @returns Ends it.
 */
export function recoverLostFocus(): () => void {
  let control: Element | undefined
  let ancestors: readonly HTMLElement[] = []
  let frame = 0

  const remember = ({ target }: FocusEvent) => {
    if (!(target instanceof Element)) return
    control = target
    // Read now: once the control is removed, nothing leads from it to where it was.
    ancestors = [...ancestorsOf(target)]
  }
  const recover = () => {
    if (document.activeElement !== document.body || !control) return
    // The user moved the focus away from a control that is still there.
    if (control.isConnected && !control.matches(':disabled')) return
    // A removed or hidden ancestor does not take it.
    for (const one of [...ancestors, document.querySelector('main')]) {
      one?.focus({ preventScroll: true })
      if (document.activeElement !== document.body) return
    }
  }
  // After the next frame: until then a dialog, a form or the next screen may take the focus itself, and a
  // disabled control loses it only when the frame is drawn.
  const observer = new MutationObserver(() => {
    frame ||= requestAnimationFrame(() => {
      frame = 0
      setTimeout(recover)
    })
  })

  document.addEventListener('focusin', remember)
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['disabled'],
  })
  return () => {
    document.removeEventListener('focusin', remember)
    observer.disconnect()
    cancelAnimationFrame(frame)
  }
}

/** The ancestors that scripts may focus, nearest first. */
function* ancestorsOf(element: Element): Generator<HTMLElement> {
  for (let one = element.parentElement; one; one = one.parentElement)
    if (one.tabIndex === -1 && one.hasAttribute('tabindex')) yield one
}
