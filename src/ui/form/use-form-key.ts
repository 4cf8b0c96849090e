import { useState } from 'react'

/**
 * The key of a form for a record in that version, and the handlers of an element around it. A newer version makes
 * another form as long as this one is not used; from then on only `renew` does, after a save.
 */
export function useFormKey(version: string | null) {
  const [saved, setSaved] = useState(0)
  const [shown, setShown] = useState(version)
  const [isUsed, setUsed] = useState(false)
  if (!isUsed && shown !== version) setShown(version)
  // Another form would take the focus away, and what is typed then would be shortcuts.
  const use = () => setUsed(true)
  return {
    key: `${saved} ${shown}`,
    around: { onFocus: use, onInput: use },
    renew: () => {
      setSaved((times) => times + 1)
      setUsed(false)
    },
  }
}
