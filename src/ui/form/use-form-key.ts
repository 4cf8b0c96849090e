import { useState } from 'react'

/**
 * The key of a form for a record in that version, and the handlers of an element around it. A newer version of
 * the record replaces the form until the user focuses it; after that only `renew` does, which is called after a save.
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
