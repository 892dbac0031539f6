<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>StopQuestion</name>
    <message>
        <source>Stop run %1? Nothing of it is kept.</source>
        <translation>Lauf %1 beenden? Nichts von ihm bleibt.</translation>
    </message>
    <message>
        <source>Stop run %1? Its iterate %2 is kept, and Continue goes on from there.</source>
        <translation>Lauf %1 beenden? Seine Iteration %2 bleibt, und „Fortsetzen“ macht dort weiter.</translation>
    </message>
    <message>
        <source>The queue stays in the study, not started: %1. Start queue begins with it.</source>
        <translation>Die Schlange bleibt in der Studie, nicht gestartet: %1. „Schlange starten“ beginnt mit ihr.</translation>
    </message>
    <message>
        <source>What waits is kept, not started: %1.</source>
        <translation>Was wartet, bleibt und wird nicht gestartet: %1.</translation>
    </message>
    <message>
        <source>What waits is dropped: %1.</source>
        <translation>Was wartet, wird verworfen: %1.</translation>
    </message>
    <message>
        <source>File &gt; Recover runs brings back what is kept.</source>
        <translation>„Datei &gt; Läufe retten“ bringt zurück, was bleibt.</translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation>Lauf beenden</translation>
    </message>
    <message>
        <source>Stop run %1? It has no whole iterate yet and goes back to the queue.</source>
        <translation>Lauf %1 beenden? Er hat noch keine ganze Iteration und kommt in die Schlange zurück.</translation>
    </message>
    <message>
        <source>%1 is going on. Stop it? Nothing of it is kept.</source>
        <translation>%1 läuft noch. Beenden? Nichts davon bleibt.</translation>
    </message>
    <message>
        <source>Stop it</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>In no study: %1. File &gt; Save study as makes one of the data and their runs.</source>
        <translation>In keiner Studie: %1. Datei &gt; Studie speichern als macht eine aus den Daten und ihren Läufen.</translation>
    </message>
    <message>
        <source>Nothing of it is kept.</source>
        <translation>Nichts davon bleibt.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>Text</name>
    <message>
        <source>Values of the ROI</source>
        <translation>Werte der ROI</translation>
    </message>
    <message>
        <source>Make a figure</source>
        <translation>Abbildung machen</translation>
    </message>
    <message>
        <source>Go to</source>
        <translation>Gehe zu</translation>
    </message>
    <message>
        <source>wheel, right button held</source>
        <translation>Rad bei gehaltener rechter Taste</translation>
    </message>
    <message>
        <source>next or previous image in this picture</source>
        <translation>nächstes oder voriges Bild in dieser Ansicht</translation>
    </message>
    <message>
        <source>Units shown</source>
        <translation>Gezeigte Einheiten</translation>
    </message>
    <message>
        <source>Of every value of a reconstruction; files keep emissions/voxel. Bq/ml: emissions a second and ml, the mean of the scan, where the data say how long was measured; else emissions/ml</source>
        <translation>Jedes Werts einer Rekonstruktion; Dateien behalten emissions/voxel. Bq/ml: Emissionen je Sekunde und ml, gemittelt über die Messung, wo die Daten sagen, wie lange gemessen wurde; sonst emissions/ml</translation>
    </message>
    <message>
        <source>left drag</source>
        <translation>links ziehen</translation>
    </message>
    <message>
        <source>move the cursor</source>
        <translation>den Cursor bewegen</translation>
    </message>
    <message>
        <source>Ctrl+left drag</source>
        <translation>Strg+links ziehen</translation>
    </message>
    <message>
        <source>draw the line that profiles are taken along; its ends can be dragged</source>
        <translation>die Linie zeichnen, an der Profile genommen werden; ihre Enden lassen sich ziehen</translation>
    </message>
    <message>
        <source>right drag</source>
        <translation>rechts ziehen</translation>
    </message>
    <message>
        <source>window (across) and level (up, down)</source>
        <translation>Fenster: Breite (waagerecht) und Lage (senkrecht)</translation>
    </message>
    <message>
        <source>middle drag</source>
        <translation>Mitte ziehen</translation>
    </message>
    <message>
        <source>pan</source>
        <translation>verschieben</translation>
    </message>
    <message>
        <source>wheel</source>
        <translation>Rad</translation>
    </message>
    <message>
        <source>next or previous slice; with Shift ten</source>
        <translation>nächste oder vorige Schicht; mit Umschalt zehn</translation>
    </message>
    <message>
        <source>Ctrl+wheel</source>
        <translation>Strg+Rad</translation>
    </message>
    <message>
        <source>zoom about the pointer</source>
        <translation>um den Zeiger zoomen</translation>
    </message>
    <message>
        <source>double-click</source>
        <translation>Doppelklick</translation>
    </message>
    <message>
        <source>one picture alone, and back</source>
        <translation>ein Bild allein und zurück</translation>
    </message>
    <message>
        <source>click a point of the curve</source>
        <translation>einen Punkt der Kurve anklicken</translation>
    </message>
    <message>
        <source>show that iterate</source>
        <translation>diese Iteration zeigen</translation>
    </message>
    <message>
        <source>Open list-mode</source>
        <translation>List-Mode öffnen</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Attenuation</source>
        <translation>Schwächung</translation>
    </message>
    <message>
        <source>Corrections</source>
        <translation>Korrekturen</translation>
    </message>
    <message>
        <source>Nothing attenuates: the list names no phantom. Open it again and name an attenuation volume if something does.</source>
        <translation>Nichts schwächt: die Liste nennt kein Phantom. Öffnen Sie sie erneut und nennen Sie ein Schwächungsvolumen, wenn etwas schwächt.</translation>
    </message>
    <message>
        <source>The times of flight look reversed. Open the list again and have them turned round.</source>
        <translation>Die Flugzeiten sehen umgekehrt aus. Öffnen Sie die Liste erneut und lassen Sie sie umkehren.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Mouse</source>
        <translation>Maus</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Meldungen</translation>
    </message>
    <message>
        <source>No messages.</source>
        <translation>Keine Meldungen.</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>kernel id</source>
        <translation>Kern-Id</translation>
    </message>
    <message>
        <source>no ROI is selected; click its outline or its row</source>
        <translation>keine ROI ist ausgewählt; ihren Umriss oder ihre Zeile anklicken</translation>
    </message>
    <message>
        <source>%1: no such file</source>
        <translation>%1: keine solche Datei</translation>
    </message>
    <message>
        <source>Open ROIs</source>
        <translation>ROIs öffnen</translation>
    </message>
    <message>
        <source>a label map needs an image whose lattice it takes; open one first</source>
        <translation>eine Labelkarte braucht ein Bild, dessen Gitter sie übernimmt; zuerst eines öffnen</translation>
    </message>
    <message>
        <source>Paste %1</source>
        <translation>%1 einfügen</translation>
    </message>
    <message>
        <source>Paste ROIs</source>
        <translation>ROIs einfügen</translation>
    </message>
    <message>
        <source>Ring of %1</source>
        <translation>Ring aus %1</translation>
    </message>
    <message>
        <source>a threshold needs an image on screen</source>
        <translation>eine Schwelle braucht ein Bild auf dem Schirm</translation>
    </message>
    <message>
        <source>Threshold %1</source>
        <translation>Schwelle %1</translation>
    </message>
    <message>
        <source>the data name no phantom that ROIs could be taken from</source>
        <translation>die Daten nennen kein Phantom, aus dem ROIs genommen werden könnten</translation>
    </message>
    <message>
        <source>Place recovery ROIs from the phantom</source>
        <translation>Recovery-ROIs aus dem Phantom setzen</translation>
    </message>
    <message>
        <source>the phantom of the data says nothing of spheres or backgrounds</source>
        <translation>das Phantom der Daten nennt keine Kugeln oder Hintergründe</translation>
    </message>
    <message>
        <source>Place ROIs from the phantom</source>
        <translation>ROIs aus dem Phantom setzen</translation>
    </message>
    <message>
        <source>Set role of %1</source>
        <translation>Rolle von %1 setzen</translation>
    </message>
    <message>
        <source>ROI &apos;%1&apos; is locked; unlock it first</source>
        <translation>ROI „%1“ ist gesperrt; zuerst entsperren</translation>
    </message>
    <message>
        <source>Nudge %1</source>
        <translation>%1 ein wenig bewegen</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Mean, voxels counted by the fraction of them inside</source>
        <translation>Mittelwert; Voxel zählen mit ihrem inneren Anteil</translation>
    </message>
    <message>
        <source>SD</source>
        <translation>SD</translation>
    </message>
    <message>
        <source>Standard deviation over voxels, divided by n - 1, n the sum of fractions</source>
        <translation>Standardabweichung über Voxel, geteilt durch n - 1; n ist die Summe der Anteile</translation>
    </message>
    <message>
        <source>SD, %</source>
        <translation>SD, %</translation>
    </message>
    <message>
        <source>SD (n - 1) over the mean</source>
        <translation>SD (n - 1) durch das Mittel</translation>
    </message>
    <message>
        <source>min</source>
        <translation>Min.</translation>
    </message>
    <message>
        <source>Least value of the voxels that are at least partly inside</source>
        <translation>Kleinster Wert der Voxel, die wenigstens teilweise innen liegen</translation>
    </message>
    <message>
        <source>max</source>
        <translation>Max.</translation>
    </message>
    <message>
        <source>Largest value of the voxels that are at least partly inside</source>
        <translation>Größter Wert der Voxel, die wenigstens teilweise innen liegen</translation>
    </message>
    <message>
        <source>voxels</source>
        <translation>Voxel</translation>
    </message>
    <message>
        <source>Sum of fractions, the effective number of voxels. Circles and annuli: exact area in the nearest slice; other flat shapes: 8 x 8 points a pixel; solids: 5 x 5 x 5 points a voxel</source>
        <translation>Summe der Anteile, die wirksame Zahl der Voxel. Kreise und Ringe: genaue Fläche in der nächsten Schicht; andere flache Formen: 8 x 8 Punkte je Pixel; Körper: 5 x 5 x 5 Punkte je Voxel</translation>
    </message>
    <message>
        <source>Sum of fractions times the volume of a voxel</source>
        <translation>Summe der Anteile mal Volumen eines Voxels</translation>
    </message>
    <message>
        <source>CRC, %</source>
        <translation>CRC, %</translation>
    </message>
    <message>
        <source>true CRC, %</source>
        <translation>wahrer CRC, %</translation>
    </message>
    <message>
        <source>CRC of the phantom&apos;s own activity by the same ROIs on the same voxels: what a perfect reconstruction would have</source>
        <translation>CRC der Aktivität des Phantoms selbst, mit denselben ROIs auf denselben Voxeln: was eine vollkommene Rekonstruktion hätte</translation>
    </message>
    <message>
        <source>overshoot</source>
        <translation>Überschwingen</translation>
    </message>
    <message>
        <source>Of a hot sphere: the largest value within 10 mm of its edge over its true value, the true ratio times its background</source>
        <translation>Einer heißen Kugel: der größte Wert bis 10 mm von ihrem Rand durch ihren wahren, das wahre Verhältnis mal ihren Hintergrund</translation>
    </message>
    <message>
        <source>The data name no phantom whose activity could be compared with</source>
        <translation>Die Daten nennen kein Phantom, mit dessen Aktivität man vergleichen könnte</translation>
    </message>
    <message>
        <source>Overshoot belongs to hot spheres of the phantom that have a background</source>
        <translation>Überschwingen gibt es bei heißen Kugeln des Phantoms, die einen Hintergrund haben</translation>
    </message>
    <message>
        <source>((mean - b) / b) / (true ratio - 1), b the mean of the backgrounds of the sphere&apos;s group</source>
        <translation>((Mittel - b) / b) / (wahres Verhältnis - 1); b ist das Mittel der Hintergründe in der Gruppe der Kugel</translation>
    </message>
    <message>
        <source>recovery, %</source>
        <translation>Recovery, %</translation>
    </message>
    <message>
        <source>Contrast recovery: (mean / u - 1) / (true ratio - 1), u the mean of the uniform ROIs</source>
        <translation>Kontrast-Recovery: (Mittel / u - 1) / (wahres Verhältnis - 1); u ist das Mittel der gleichförmigen ROIs</translation>
    </message>
    <message>
        <source>NSR, %</source>
        <translation>NSR, %</translation>
    </message>
    <message>
        <source>SD (n - 1) over the mean of a uniform ROI; the NSR is their mean</source>
        <translation>SD (n - 1) durch das Mittel einer gleichförmigen ROI; die NSR ist deren Mittel</translation>
    </message>
    <message>
        <source>out, %</source>
        <translation>außen, %</translation>
    </message>
    <message>
        <source>Share that lies outside the image; it is left out of all others</source>
        <translation>Anteil außerhalb des Bildes; er zählt bei allen anderen Werten nicht mit</translation>
    </message>
    <message>
        <source>NSR belongs to ROIs of role uniform</source>
        <translation>NSR gibt es für ROIs der Rolle „gleichförmig“</translation>
    </message>
    <message>
        <source>Contrast belongs to ROIs of role sphere</source>
        <translation>Kontrast gibt es für ROIs der Rolle „Kugel“</translation>
    </message>
    <message>
        <source>The true ratio is not known, so there is no contrast to compare with</source>
        <translation>Das wahre Verhältnis ist unbekannt, also fehlt der Kontrast zum Vergleich</translation>
    </message>
    <message>
        <source>CRC needs a background of the sphere&apos;s group, or one without a group</source>
        <translation>CRC braucht einen Hintergrund der Gruppe der Kugel oder einen ohne Gruppe</translation>
    </message>
    <message>
        <source>The image is empty there</source>
        <translation>Das Bild ist dort leer</translation>
    </message>
    <message>
        <source>Contrast recovery needs an ROI of role uniform</source>
        <translation>Kontrast-Recovery braucht eine ROI der Rolle „gleichförmig“</translation>
    </message>
    <message>
        <source>No voxel of it lies inside the image</source>
        <translation>Kein Voxel davon liegt im Bild</translation>
    </message>
    <message>
        <source>iterate %1 in work</source>
        <translation>Iteration %1 in Arbeit</translation>
    </message>
    <message>
        <source>iterate %1</source>
        <translation>Iteration %1</translation>
    </message>
    <message>
        <source>a number is needed</source>
        <translation>eine Zahl wird gebraucht</translation>
    </message>
    <message>
        <source>Ring of copies</source>
        <translation>Ring aus Kopien</translation>
    </message>
    <message>
        <source>How many there are at the end, the selected one among them</source>
        <translation>Wie viele es am Ende sind, die ausgewählte mitgezählt</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>Kopien</translation>
    </message>
    <message>
        <source>A point of the axis, which is normal to the ROI&apos;s plane</source>
        <translation>Ein Punkt der Achse; sie steht senkrecht auf der Ebene der ROI</translation>
    </message>
    <message>
        <source>About %1</source>
        <translation>Um %1</translation>
    </message>
    <message>
        <source>ROI from threshold</source>
        <translation>ROI aus Schwelle</translation>
    </message>
    <message>
        <source>Of the largest value in the neighbourhood of the cursor</source>
        <translation>Vom größten Wert in der Umgebung des Cursors</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>Schwelle</translation>
    </message>
    <message>
        <source>Radius of the neighbourhood; nothing beyond it is taken</source>
        <translation>Radius der Umgebung; was weiter weg liegt, bleibt draußen</translation>
    </message>
    <message>
        <source>Neighbourhood</source>
        <translation>Umgebung</translation>
    </message>
    <message>
        <source>sphere of the same volume</source>
        <translation>Kugel gleichen Volumens</translation>
    </message>
    <message>
        <source>the voxels themselves</source>
        <translation>die Voxel selbst</translation>
    </message>
    <message>
        <source>Makes</source>
        <translation>Ergibt</translation>
    </message>
    <message>
        <source>, mean of %1</source>
        <translation>, Mittel über %1</translation>
    </message>
    <message>
        <source>, MIP of %1</source>
        <translation>, MIP über %1</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>%1: pictures are written as .png or .pdf</source>
        <translation>%1: Bilder werden als .png oder .pdf geschrieben</translation>
    </message>
    <message>
        <source>picture scale %1: 0.25 to 16 are possible</source>
        <translation>Bildmaßstab %1: möglich sind 0.25 bis 16</translation>
    </message>
    <message>
        <source>%1: cannot be written: %2</source>
        <translation>%1: kann nicht geschrieben werden: %2</translation>
    </message>
    <message>
        <source>Reconstruction</source>
        <translation>Rekonstruktion</translation>
    </message>
    <message>
        <source>Colour map</source>
        <translation>Farbtabelle</translation>
    </message>
    <message>
        <source>as the theme</source>
        <translation>wie das Farbschema</translation>
    </message>
    <message>
        <source>Of pictures nobody chose another one for; as the theme: black for zero in the dark one, white in the light one</source>
        <translation>Für Bilder, denen niemand eine andere gab; wie das Farbschema: Null ist im dunklen schwarz, im hellen weiß</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Darstellung</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>as the system</source>
        <translation>wie das System</translation>
    </message>
    <message>
        <source>Language of the window</source>
        <translation>Sprache des Fensters</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farbschema</translation>
    </message>
    <message>
        <source>dark</source>
        <translation>dunkel</translation>
    </message>
    <message>
        <source>light</source>
        <translation>hell</translation>
    </message>
    <message>
        <source>high contrast</source>
        <translation>hoher Kontrast</translation>
    </message>
    <message>
        <source>Ground around the pictures; as the system: what the desktop looks like</source>
        <translation>Grund um die Bilder; wie das System: so wie die Arbeitsfläche</translation>
    </message>
    <message>
        <source>Size of everything</source>
        <translation>Größe von allem</translation>
    </message>
    <message>
        <source>Texts, controls and pictures, of the size they have on a screen of 96 dots an inch</source>
        <translation>Texte, Bedienelemente und Bilder, bezogen auf einen Schirm mit 96 Punkten je Zoll</translation>
    </message>
    <message>
        <source>Orientation</source>
        <translation>Orientierung</translation>
    </message>
    <message>
        <source>radiological</source>
        <translation>radiologisch</translation>
    </message>
    <message>
        <source>neurological</source>
        <translation>neurologisch</translation>
    </message>
    <message>
        <source>Radiological: the patient&apos;s left is on the right</source>
        <translation>Radiologisch: die linke Seite des Patienten ist rechts</translation>
    </message>
    <message>
        <source>Smooth voxels</source>
        <translation>Voxel glätten</translation>
    </message>
    <message>
        <source>Interpolates between voxels; off shows every voxel as it is</source>
        <translation>Interpoliert zwischen Voxeln; aus zeigt jedes Voxel, wie es ist</translation>
    </message>
    <message>
        <source>Speed of cine</source>
        <translation>Geschwindigkeit der Bildfolge</translation>
    </message>
    <message>
        <source>pictures/s</source>
        <translation>Bilder/s</translation>
    </message>
    <message>
        <source>Pictures per second while slices or iterates are played</source>
        <translation>Bilder je Sekunde, wenn Schichten oder Iterationen abgespielt werden</translation>
    </message>
    <message>
        <source>Save every</source>
        <translation>Speichern alle</translation>
    </message>
    <message>
        <source>Seconds between savings of view, settings and ROIs in the study and the session</source>
        <translation>Sekunden zwischen dem Speichern von Ansicht, Einstellungen und ROIs in Studie und Sitzung</translation>
    </message>
    <message>
        <source>Ask before work is lost</source>
        <translation>Fragen, bevor Arbeit verloren geht</translation>
    </message>
    <message>
        <source>Before a run is cancelled or deleted, or the window closed while one is going on</source>
        <translation>Bevor ein Lauf abgebrochen oder gelöscht oder das Fenster währenddessen geschlossen wird</translation>
    </message>
    <message>
        <source>preference &apos;%1&apos; is &apos;%2&apos;; </source>
        <translation>Einstellung „%1“ ist „%2“; </translation>
    </message>
    <message>
        <source>it must be one of %1</source>
        <translation>möglich sind %1</translation>
    </message>
    <message>
        <source>it must be a whole number from %1 to %2</source>
        <translation>es muss eine ganze Zahl von %1 bis %2 sein</translation>
    </message>
    <message>
        <source>it must be a number from %1 to %2</source>
        <translation>es muss eine Zahl von %1 bis %2 sein</translation>
    </message>
    <message>
        <source>a few seconds left</source>
        <translation>noch wenige Sekunden</translation>
    </message>
    <message>
        <source>about %1&#xa0;s left</source>
        <translation>noch etwa %1&#xa0;s</translation>
    </message>
    <message>
        <source>about %1&#xa0;min left</source>
        <translation>noch etwa %1&#xa0;min</translation>
    </message>
    <message>
        <source>about %1&#xa0;h left</source>
        <translation>noch etwa %1&#xa0;h</translation>
    </message>
    <message>
        <source>Double-click copies</source>
        <translation>Doppelklick kopiert</translation>
    </message>
    <message>
        <source>CRC against noise</source>
        <translation>CRC gegen Rauschen</translation>
    </message>
    <message>
        <source>CRC against iterate</source>
        <translation>CRC gegen Iteration</translation>
    </message>
    <message>
        <source>noise against iterate</source>
        <translation>Rauschen gegen Iteration</translation>
    </message>
    <message>
        <source>objective against iterate</source>
        <translation>Zielfunktion gegen Iteration</translation>
    </message>
    <message>
        <source>NSR against iterate</source>
        <translation>NSR gegen Iteration</translation>
    </message>
    <message>
        <source>ROI: %1</source>
        <translation>ROI: %1</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>%1 bewegen</translation>
    </message>
    <message>
        <source>Turn %1</source>
        <translation>%1 drehen</translation>
    </message>
    <message>
        <source>Resize %1</source>
        <translation>Größe von %1 ändern</translation>
    </message>
    <message>
        <source>Draw %1</source>
        <translation>%1 zeichnen</translation>
    </message>
    <message>
        <source>Add vertex to %1</source>
        <translation>Ecke zu %1 hinzufügen</translation>
    </message>
    <message>
        <source>Delete vertex of %1</source>
        <translation>Ecke von %1 löschen</translation>
    </message>
    <message>
        <source>the machine has not enough free memory for this; close other programs or choose a smaller lattice</source>
        <translation>der Rechner hat dafür nicht genug freien Speicher; andere Programme schließen oder ein kleineres Gitter wählen</translation>
    </message>
    <message>
        <source>internal error: %1</source>
        <translation>interner Fehler: %1</translation>
    </message>
    <message>
        <source>internal error of unknown kind</source>
        <translation>interner Fehler unbekannter Art</translation>
    </message>
    <message>
        <source>%1: not a study, data, list-mode, run or volume that Tofscope can read; see docs/formats.md</source>
        <translation>%1: keine Studie, keine Daten, kein List-Mode, kein Lauf und kein Volumen, die Tofscope lesen kann; siehe docs/formats.md</translation>
    </message>
    <message>
        <source>Go back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>Tab separated (*.tsv)</source>
        <translation>Mit Tabulatoren (*.tsv)</translation>
    </message>
    <message>
        <source>ROIs or label map (*.json *.nii *.nii.gz *.hv *.h5)</source>
        <translation>ROIs oder Labelkarte (*.json *.nii *.nii.gz *.hv *.h5)</translation>
    </message>
    <message>
        <source>There is no image yet</source>
        <translation>Es gibt noch kein Bild</translation>
    </message>
    <message>
        <source>About Tofscope</source>
        <translation>Über Tofscope</translation>
    </message>
    <message>
        <source>Tofscope %1
Time-of-flight PET reconstruction workbench.
Apache License 2.0</source>
        <translation>Tofscope %1
Arbeitsplatz für die Rekonstruktion von TOF-PET.
Apache-Lizenz 2.0</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>Type what you want to do; Enter does it</source>
        <translation>Eingeben, was getan werden soll; die Eingabetaste führt es aus</translation>
    </message>
    <message>
        <source>Copy diagnostics</source>
        <translation>Diagnose kopieren</translation>
    </message>
    <message>
        <source>Versions, engines, settings and the end of the log, without names of files or patients</source>
        <translation>Versionen, Engines, Einstellungen und das Ende des Protokolls, ohne Namen von Dateien oder Patienten</translation>
    </message>
    <message>
        <source>The diagnostics are on the clipboard.</source>
        <translation>Die Diagnose liegt in der Zwischenablage.</translation>
    </message>
    <message>
        <source>All keys</source>
        <translation>Alle Tasten</translation>
    </message>
    <message>
        <source>Every command that has a key, and what the mouse does</source>
        <translation>Jeder Befehl, der eine Taste hat, und was die Maus tut</translation>
    </message>
    <message>
        <source>Notes, warnings and errors of this session, with a report to copy</source>
        <translation>Hinweise, Warnungen und Fehler dieser Sitzung, mit einem Bericht zum Kopieren</translation>
    </message>
    <message>
        <source>Version and licence</source>
        <translation>Version und Lizenz</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>Anordnung</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Correction shown</source>
        <translation>Gezeigte Korrektur</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Warteschlange</translation>
    </message>
    <message>
        <source>Plane and slice</source>
        <translation>Ebene und Schicht</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Data by view</source>
        <translation>Daten nach Ansicht</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>Bewegen</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>Cine</source>
        <translation>Bildfolge</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>Zeichnen</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Presets and files</source>
        <translation>Vorlagen und Dateien</translation>
    </message>
    <message>
        <source>Slices</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>One image in three planes</source>
        <translation>Ein Bild in drei Ebenen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Two images and their difference, in three planes</source>
        <translation>Zwei Bilder und ihre Differenz in drei Ebenen</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>The measured data by view, and what the image makes expected of them</source>
        <translation>Die gemessenen Daten nach Ansicht und was das Bild für sie erwarten lässt</translation>
    </message>
    <message>
        <source>Matched noise</source>
        <translation>Gleiches Rauschen</translation>
    </message>
    <message>
        <source>Of every run the iterate nearest to a level of noise, side by side</source>
        <translation>Von jedem Lauf die Iteration, die einem Rauschniveau am nächsten ist, nebeneinander</translation>
    </message>
    <message>
        <source>Kernel lab</source>
        <translation>Kernlabor</translation>
    </message>
    <message>
        <source>What a kernel is and does: widths, point sources, engines, live</source>
        <translation>Was ein Kern ist und tut: Breiten, Punktquellen, Engines, live</translation>
    </message>
    <message>
        <source>Experiments</source>
        <translation>Experimente</translation>
    </message>
    <message>
        <source>Tables and figures of the papers made again: run, checks, curves, images</source>
        <translation>Tabellen und Bilder der Arbeiten noch einmal gemacht: ausführen, Prüfungen, Kurven, Bilder</translation>
    </message>
    <message>
        <source>Live tuning</source>
        <translation>Live-Abstimmung</translation>
    </message>
    <message>
        <source>rec., %</source>
        <translation>Rec., %</translation>
    </message>
    <message>
        <source>true CRC</source>
        <translation>wahrer CRC</translation>
    </message>
    <message>
        <source>oversh.</source>
        <translation>Übersch.</translation>
    </message>
    <message>
        <source>today %1</source>
        <translation>heute %1</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>gestern</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>ohne Grenze</translation>
    </message>
    <message>
        <source>first</source>
        <translation>das erste</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>no decay</source>
        <translation>kein Abklingen</translation>
    </message>
    <message>
        <source>the data&apos;s</source>
        <translation>wie die Daten</translation>
    </message>
    <message>
        <source>engine&apos;s own</source>
        <translation>eigene der Engine</translation>
    </message>
    <message>
        <source>what the engine takes by itself</source>
        <translation>was die Engine von sich aus nimmt</translation>
    </message>
    <message>
        <source>of engine %1 alone</source>
        <translation>nur bei der Engine %1</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is no number</source>
        <translation>%1: „%2“ ist keine Zahl</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is no whole number</source>
        <translation>%1: „%2“ ist keine ganze Zahl</translation>
    </message>
    <message>
        <source>%1: %2 to %3 %4 are possible</source>
        <translation>%1: möglich sind %2 bis %3 %4</translation>
    </message>
    <message>
        <source>%1: there is no &quot;%2&quot;</source>
        <translation>%1: „%2“ gibt es nicht</translation>
    </message>
    <message>
        <source>does not project such data</source>
        <translation>projiziert solche Daten nicht</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>asymmetric</source>
        <translation>asymmetrisch</translation>
    </message>
    <message>
        <source>symmetric</source>
        <translation>symmetrisch</translation>
    </message>
    <message>
        <source>TOF %1 ps, radial %2 mm, axial %3 mm, %4</source>
        <translation>TOF %1 ps, radial %2 mm, axial %3 mm, %4</translation>
    </message>
    <message>
        <source>Invariant: the same everywhere</source>
        <translation>Invariant: überall gleich</translation>
    </message>
    <message>
        <source>Variant: wider away from the centre</source>
        <translation>Variant: außen breiter</translation>
    </message>
    <message>
        <source>High accuracy: wide kernels that test the engines</source>
        <translation>Hohe Genauigkeit: breite Kerne, die Engines prüfen</translation>
    </message>
    <message>
        <source>Mine</source>
        <translation>Eigene</translation>
    </message>
    <message>
        <source>From file…</source>
        <translation>Aus Datei …</translation>
    </message>
    <message>
        <source>a kernel described or measured, as JSON</source>
        <translation>ein beschriebener oder gemessener Kern, als JSON</translation>
    </message>
    <message>
        <source>Set %1</source>
        <translation>%1 setzen</translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation>%1 umbenennen</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>Tutorials, how-to pages, method and reference, with a search</source>
        <translation>Anleitungen, Verfahren und Nachschlagen, mit Suche</translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation>Wörterverzeichnis</translation>
    </message>
    <message>
        <source>What the words mean that the window uses</source>
        <translation>Was die Wörter bedeuten, die das Fenster gebraucht</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Find a word in all pages; Return goes on to the next place</source>
        <translation>Ein Wort in allen Seiten suchen; die Eingabetaste geht zur nächsten Stelle</translation>
    </message>
    <message>
        <source>Pages of the manual</source>
        <translation>Seiten des Handbuchs</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>The page before</source>
        <translation>Die Seite davor</translation>
    </message>
    <message>
        <source>contrast</source>
        <translation>Kontrast</translation>
    </message>
    <message>
        <source>brightness</source>
        <translation>Helligkeit</translation>
    </message>
    <message>
        <source>window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>level</source>
        <translation>Pegel</translation>
    </message>
    <message>
        <source>fusion</source>
        <translation>Fusion</translation>
    </message>
    <message>
        <source>fuse</source>
        <translation>Verschmelzen</translation>
    </message>
    <message>
        <source>overlay</source>
        <translation>Überlagern</translation>
    </message>
    <message>
        <source>blink</source>
        <translation>Blinken</translation>
    </message>
    <message>
        <source>nema</source>
        <translation>NEMA</translation>
    </message>
    <message>
        <source>phantom</source>
        <translation>Phantom</translation>
    </message>
    <message>
        <source>scanner</source>
        <translation>Scanner</translation>
    </message>
    <message>
        <source>screenshot</source>
        <translation>Bildschirmfoto</translation>
    </message>
    <message>
        <source>settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>VOI</source>
        <translation>VOI</translation>
    </message>
    <message>
        <source>MIP</source>
        <translation>MIP</translation>
    </message>
    <message>
        <source>reconstruct</source>
        <translation>rekonstruieren</translation>
    </message>
    <message>
        <source>stop</source>
        <translation>anhalten</translation>
    </message>
    <message>
        <source>abort</source>
        <translation>abbrechen</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>No ROI has the role background</source>
        <translation>Keine ROI hat die Rolle Untergrund</translation>
    </message>
    <message>
        <source>The image is not in %1</source>
        <translation>Das Bild ist nicht in %1</translation>
    </message>
    <message>
        <source>Delete run %1</source>
        <translation>Lauf %1 löschen</translation>
    </message>
    <message>
        <source>Run %1 is deleted; Undo brings it back until the study is closed.</source>
        <translation>Lauf %1 ist gelöscht; „Rückgängig“ bringt ihn zurück, solange die Studie offen ist.</translation>
    </message>
    <message>
        <source>Walkthroughs</source>
        <translation>Wege</translation>
    </message>
    <message>
        <source>Five pieces of work from the first click to the result</source>
        <translation>Fünf Arbeiten vom ersten Klick bis zum Ergebnis</translation>
    </message>
    <message>
        <source>Guided tour</source>
        <translation>Rundgang</translation>
    </message>
    <message>
        <source>Points at the controls one after the other and says what they are for; Esc ends it</source>
        <translation>Zeigt die Bedienelemente nacheinander und sagt, wozu sie da sind; Esc beendet ihn</translation>
    </message>
    <message>
        <source>Open something</source>
        <translation>Etwas öffnen</translation>
    </message>
    <message>
        <source>Studies, measured data, runs and volumes open here; files can also be dropped anywhere into the window. The start page offers the demo study, which is simulated and reconstructed at its first use.</source>
        <translation>Hier öffnen sich Studien, Messdaten, Läufe und Volumen; Dateien können auch irgendwo in das Fenster gezogen werden. Die Startseite bietet die Demo-Studie, die beim ersten Mal simuliert und rekonstruiert wird.</translation>
    </message>
    <message>
        <source>The kernel</source>
        <translation>Der Kern</translation>
    </message>
    <message>
        <source>The kernel says how far counts spread. This list, and the settings below it, are those of the next run; a change touches no run that is there.</source>
        <translation>Der Kern sagt, wie weit Zählungen streuen. Diese Liste und die Einstellungen darunter gelten für den nächsten Lauf; eine Änderung rührt keinen vorhandenen Lauf an.</translation>
    </message>
    <message>
        <source>Run reconstructs what is open, beside the runs that are there. Beside it: pause, one step, finish with the last whole iterate, cancel.</source>
        <translation>Rekonstruiert, was offen ist, neben den vorhandenen Läufen. Daneben: Pause, ein Schritt, Abschluss mit der letzten ganzen Iteration, Abbruch.</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Every run and volume is a row. A click shows it, F2 renames it, Del deletes it and Undo brings it back.</source>
        <translation>Jeder Lauf und jedes Volumen ist eine Zeile. Ein Klick zeigt ihn, F2 benennt ihn um, Entf löscht ihn, und „Rückgängig“ bringt ihn zurück.</translation>
    </message>
    <message>
        <source>Three planes through one cursor. A left press moves the cursor, the wheel goes through slices, a right drag changes brightness and contrast, Ctrl and the wheel zoom.</source>
        <translation>Drei Ebenen durch einen Cursor. Die linke Taste bewegt ihn, das Rad geht durch Schichten, Ziehen mit der rechten Taste ändert Helligkeit und Kontrast, Strg mit dem Rad vergrößert.</translation>
    </message>
    <message>
        <source>Display range</source>
        <translation>Anzeigebereich</translation>
    </message>
    <message>
        <source>All runs of a study share one range, so that going up and down in the list is a fair comparison. The list beside Auto has ranges by name.</source>
        <translation>Alle Läufe einer Studie teilen einen Bereich, damit Auf und Ab in der Liste ein gerechter Vergleich ist. Die Liste neben „Auto“ hat Bereiche mit Namen.</translation>
    </message>
    <message>
        <source>Regions</source>
        <translation>Regionen</translation>
    </message>
    <message>
        <source>Draw takes a shape in hand. The table follows every iterate; spheres and backgrounds give contrast recovery and noise.</source>
        <translation>„Zeichnen“ nimmt eine Form in die Hand. Die Tabelle folgt jeder Iteration; Kugeln und Untergründe ergeben Kontrast-Rückgewinnung und Rauschen.</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>Contrast recovery against noise, a point per iterate. A click on a point shows that iterate.</source>
        <translation>Kontrast-Rückgewinnung gegen Rauschen, ein Punkt je Iteration. Ein Klick auf einen Punkt zeigt diese Iteration.</translation>
    </message>
    <message>
        <source>Two images and their difference, side by side, as a swipe or as a checkerboard, at the same iterate or at matched noise.</source>
        <translation>Zwei Bilder und ihre Differenz, nebeneinander, zum Wischen oder als Schachbrett, bei gleicher Iteration oder gleichem Rauschen.</translation>
    </message>
    <message>
        <source>What a kernel is and does: drag its widths and see projections, errors and times follow.</source>
        <translation>Was ein Kern ist und tut: seine Breiten ziehen und sehen, wie Projektionen, Fehler und Zeiten folgen.</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Messages stand here. F1 shows every key, Ctrl+Shift+P finds a command by what you want to do, and Help has the manual, the glossary and this tour.</source>
        <translation>Hier stehen Meldungen. F1 zeigt alle Tasten, Strg+Umschalt+P findet einen Befehl nach dem, was man tun will, und „Hilfe“ hat das Handbuch, das Glossar und diesen Rundgang.</translation>
    </message>
    <message>
        <source>Below the pictures</source>
        <translation>Unter den Bildern</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>Largest mean of a sphere of 1 ml whose centre lies in the ROI: SUVpeak as PERCIST and EANM define it, where values are SUV</source>
        <translation>Größter Mittelwert einer Kugel von 1 ml, deren Mitte in der ROI liegt: SUVpeak, wie PERCIST und EANM es festlegen, wo die Werte SUV sind</translation>
    </message>
    <message>
        <source>The mean is not positive</source>
        <translation>Der Mittelwert ist nicht positiv</translation>
    </message>
    <message>
        <source>No sphere of 1 ml about a voxel of it lies wholly in the image</source>
        <translation>Keine Kugel von 1 ml um eines ihrer Voxel liegt ganz im Bild</translation>
    </message>
    <message>
        <source>%1, iterate %2</source>
        <translation>%1, Iteration %2</translation>
    </message>
    <message>
        <source>Add annotation</source>
        <translation>Anmerkung hinzufügen</translation>
    </message>
    <message>
        <source>Move annotation</source>
        <translation>Anmerkung verschieben</translation>
    </message>
    <message>
        <source>Change annotation</source>
        <translation>Anmerkung ändern</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Words on the picture</source>
        <translation>Worte auf dem Bild</translation>
    </message>
    <message>
        <source>The selected run has no two iterates</source>
        <translation>Der gewählte Lauf hat keine zwei Iterationen</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>Experiment</translation>
    </message>
    <message>
        <source>Annotations</source>
        <translation>Anmerkungen</translation>
    </message>
    <message>
        <source>Movie</source>
        <translation>Film</translation>
    </message>
    <message>
        <source>Open a study, data or list-mode first</source>
        <translation>Zuerst eine Studie, Daten oder Listenmodus öffnen</translation>
    </message>
    <message>
        <source>Correcting %1</source>
        <translation>%1 wird korrigiert</translation>
    </message>
    <message>
        <source>mean of %1 replicates</source>
        <translation>Mittel von %1 Wiederholungen</translation>
    </message>
    <message>
        <source>SD of %1 replicates</source>
        <translation>SD von %1 Wiederholungen</translation>
    </message>
    <message>
        <source>Attenuation, efficiencies, randoms and scatter of the data: how large, on and off</source>
        <translation>Schwächung, Ausbeuten, Zufällige und Streuung der Daten: wie groß, an und aus</translation>
    </message>
    <message>
        <source>%1: %2 randoms taken from the counts; %3 lines fell %4 counts below zero and became zero</source>
        <translation>%1: %2 Zufällige von den Zählwerten abgezogen; %3 Linien fielen um %4 Zählwerte unter null und wurden null</translation>
    </message>
    <message>
        <source>%1: %2 randoms and %3 scattered are expected</source>
        <translation>%1: %2 Zufällige und %3 Gestreute werden erwartet</translation>
    </message>
    <message>
        <source>%1 is made</source>
        <translation>%1 ist gemacht</translation>
    </message>
    <message>
        <source>Data of this kind are not corrected here</source>
        <translation>Daten dieser Art werden hier nicht korrigiert</translation>
    </message>
    <message>
        <source>Efficiencies</source>
        <translation>Ausbeuten</translation>
    </message>
    <message>
        <source>Randoms, from delayeds</source>
        <translation>Zufällige, aus Verzögerten</translation>
    </message>
    <message>
        <source>Randoms, from singles</source>
        <translation>Zufällige, aus Einzelereignissen</translation>
    </message>
    <message>
        <source>Dead time</source>
        <translation>Totzeit</translation>
    </message>
    <message>
        <source>Scatter</source>
        <translation>Streuung</translation>
    </message>
    <message>
        <source>not in the data</source>
        <translation>nicht in den Daten</translation>
    </message>
    <message>
        <source>on, not told apart</source>
        <translation>an, nicht einzeln</translation>
    </message>
    <message>
        <source>by geometry alone</source>
        <translation>nur aus der Geometrie</translation>
    </message>
    <message>
        <source>%1 counts</source>
        <translation>%1 Zählwerte</translation>
    </message>
    <message>
        <source>SD %1 %</source>
        <translation>SD %1 %</translation>
    </message>
    <message>
        <source>%1 % of the photons kept</source>
        <translation>%1 % der Photonen erhalten</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>aufgehoben</translation>
    </message>
    <message>
        <source>No data are open</source>
        <translation>Keine Daten sind offen</translation>
    </message>
    <message>
        <source>Cancel or finish the run first</source>
        <translation>Erst den Lauf abbrechen oder beenden</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>%1 wird gespeichert</translation>
    </message>
    <message>
        <source>%1 to %2 min</source>
        <translation>%1 bis %2 min</translation>
    </message>
    <message>
        <source>%1 to %2 s</source>
        <translation>%1 bis %2 s</translation>
    </message>
    <message>
        <source>frame %1 of %2, %3</source>
        <translation>Zeitbild %1 von %2, %3</translation>
    </message>
    <message>
        <source>mean of all frames, %1</source>
        <translation>Mittel aller Zeitbilder, %1</translation>
    </message>
    <message>
        <source>mean of frames %1 to %2, %3</source>
        <translation>Mittel der Zeitbilder %1 bis %2, %3</translation>
    </message>
    <message>
        <source>Fitting %1</source>
        <translation>%1 wird angepasst</translation>
    </message>
    <message>
        <source>The image on screen has no frames</source>
        <translation>Das gezeigte Bild hat keine Zeitbilder</translation>
    </message>
    <message>
        <source>The model needs blood samples, or a region for plasma</source>
        <translation>Das Modell braucht Blutproben oder eine Region für das Plasma</translation>
    </message>
    <message>
        <source>Blood samples or a region for plasma: one of them</source>
        <translation>Blutproben oder eine Region für das Plasma: eins von beiden</translation>
    </message>
    <message>
        <source>The model needs a reference region</source>
        <translation>Das Modell braucht eine Referenzregion</translation>
    </message>
    <message>
        <source>Say when the line begins, as 20min</source>
        <translation>Angeben, ab wann die Gerade gilt, etwa 20min</translation>
    </message>
    <message>
        <source>A name is needed</source>
        <translation>Ein Name wird gebraucht</translation>
    </message>
    <message>
        <source>%1 is no folder</source>
        <translation>%1 ist kein Ordner</translation>
    </message>
    <message>
        <source>Make parametric image</source>
        <translation>Parametrisches Bild machen</translation>
    </message>
    <message>
        <source>Make frames</source>
        <translation>Zeitfenster machen</translation>
    </message>
    <message>
        <source>Make images</source>
        <translation>Bilder machen</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Open data first</source>
        <translation>Zuerst Daten öffnen</translation>
    </message>
    <message>
        <source>The data are not cut by time: Tools &gt; Time &gt; Make frames</source>
        <translation>Die Daten sind nicht nach der Zeit geschnitten: Werkzeuge &gt; Zeit &gt; Zeitfenster machen</translation>
    </message>
    <message numerus="yes">
        <source>Images of %n frames</source>
        <translation>
            <numerusform>Bilder von %n Zeitfenster</numerusform>
            <numerusform>Bilder von %n Zeitfenstern</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: cannot be written; choose another folder</source>
        <translation>%1: kann nicht geschrieben werden; einen anderen Ordner wählen</translation>
    </message>
    <message>
        <source>, sum of %1</source>
        <translation>, Summe über %1</translation>
    </message>
    <message>
        <source>In an oblique picture only spheres are drawn: straighten the planes first</source>
        <translation>In einem schrägen Bild werden nur Kugeln gezeichnet: erst die Ebenen gerade stellen</translation>
    </message>
    <message>
        <source>The image of the sum alone is what Run makes</source>
        <translation>Das Bild der Summe allein macht „Start“</translation>
    </message>
    <message>
        <source>Give numbers from 1 to %1, as 3-10 or 1,4-6</source>
        <translation>Geben Sie Nummern von 1 bis %1 an, etwa 3-10 oder 1,4-6</translation>
    </message>
    <message>
        <source>Each gate has one frame: say which gates are compared</source>
        <translation>Jedes Gate hat ein Zeitfenster: Sagen Sie, welche Gates verglichen werden</translation>
    </message>
    <message>
        <source>Choose OSEM or MLEM at the left to join frames</source>
        <translation>Wählen Sie links OSEM oder MLEM, um Zeitfenster zu verbinden</translation>
    </message>
    <message>
        <source>The data have no gates</source>
        <translation>Die Daten haben keine Gates</translation>
    </message>
    <message>
        <source>Make images of frames</source>
        <translation>Bilder der Zeitfenster machen</translation>
    </message>
    <message>
        <source>Choose file...</source>
        <translation>Datei wählen...</translation>
    </message>
    <message>
        <source>filtered</source>
        <translation>gefiltert</translation>
    </message>
    <message>
        <source>truth</source>
        <translation>Wahrheit</translation>
    </message>
    <message>
        <source>bias</source>
        <translation>Abweichung</translation>
    </message>
    <message>
        <source>mean image</source>
        <translation>Mittelwertbild</translation>
    </message>
    <message>
        <source>SD image</source>
        <translation>SD-Bild</translation>
    </message>
    <message>
        <source>μ map</source>
        <translation>μ-Karte</translation>
    </message>
    <message>
        <source>labels</source>
        <translation>Marken</translation>
    </message>
    <message>
        <source>parametric</source>
        <translation>parametrisch</translation>
    </message>
    <message>
        <source>strength</source>
        <translation>Stärke</translation>
    </message>
    <message>
        <source>pull</source>
        <translation>Zug</translation>
    </message>
    <message>
        <source>volume</source>
        <translation>Volumen</translation>
    </message>
    <message>
        <source>emissions</source>
        <translation>Emissionen</translation>
    </message>
    <message>
        <source>snapshot</source>
        <translation>Schnappschuss</translation>
    </message>
    <message>
        <source>Sum of emissions per voxel, voxels counted by the fraction of them inside; all that the object sent out, of which the scanner saw a part</source>
        <translation>Summe der Emissionen je Voxel, Voxel nach ihrem Anteil im Inneren gezählt; alles, was das Objekt ausgesandt hat, wovon der Scanner einen Teil sah</translation>
    </message>
    <message>
        <source>0 does not mean nothing in this image: no share of its mean means anything</source>
        <translation>0 heißt in diesem Bild nicht „nichts“: Kein Anteil an seinem Mittelwert sagt etwas</translation>
    </message>
    <message>
        <source>The background&apos;s mean is not positive, or lost in noise</source>
        <translation>Der Mittelwert des Hintergrunds ist nicht positiv oder geht im Rauschen unter</translation>
    </message>
    <message>
        <source>A sum is a number where values are emissions per voxel</source>
        <translation>Eine Summe ist eine Anzahl, wo Werte Emissionen je Voxel sind</translation>
    </message>
    <message>
        <source>Contrast and noise belong to images of the activity that the ROIs were placed for</source>
        <translation>Kontrast und Rauschen gehören zu Bildern der Aktivität, für die die ROIs gesetzt wurden</translation>
    </message>
    <message>
        <source>Table of runs</source>
        <translation>Tabelle der Läufe</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Abbildung</translation>
    </message>
    <message>
        <source>A figure for a paper: slices, profiles and curves on a page, as PDF or SVG</source>
        <translation>Eine Abbildung für eine Veröffentlichung: Schnitte, Profile und Kurven auf einer Seite, als PDF oder SVG</translation>
    </message>
    <message>
        <source>Every run with its settings and figures: sorted, filtered, pinned, commented</source>
        <translation>Jeder Lauf mit Einstellungen und Zahlen: sortiert, gefiltert, angeheftet, bemerkt</translation>
    </message>
    <message>
        <source>SD of CRC, %</source>
        <translation>SD der CRC, %</translation>
    </message>
    <message>
        <source>Noise, %</source>
        <translation>Rauschen, %</translation>
    </message>
    <message>
        <source>FWHM along %1, mm</source>
        <translation>FWHM entlang %1, mm</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>Zielfunktion</translation>
    </message>
    <message>
        <source>Time, s</source>
        <translation>Zeit, s</translation>
    </message>
    <message>
        <source>Letter</source>
        <translation>Buchstabe</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Comment</source>
        <translation>Bemerkung</translation>
    </message>
    <message>
        <source>Iterate</source>
        <translation>Iteration</translation>
    </message>
    <message>
        <source>sum</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>Following %1</source>
        <translation>%1 wird verfolgt</translation>
    </message>
    <message>
        <source>Following %1: %2 events, %3/s, image %4 s behind</source>
        <translation>%1 wird verfolgt: %2 Ereignisse, %3/s, Bild %4 s zurück</translation>
    </message>
    <message>
        <source>Paint %1</source>
        <translation>%1 malen</translation>
    </message>
    <message>
        <source>Contour %1</source>
        <translation>Kontur %1</translation>
    </message>
    <message>
        <source>a contour needs an image on screen</source>
        <translation>eine Kontur braucht ein Bild auf dem Schirm</translation>
    </message>
    <message>
        <source>Place of the image</source>
        <translation>Lage des Bildes</translation>
    </message>
    <message>
        <source>Contour in 3-D</source>
        <translation>Kontur in 3-D</translation>
    </message>
    <message>
        <source>Panels</source>
        <translation>Leisten</translation>
    </message>
    <message>
        <source>AUC of an observer against noise</source>
        <translation>AUC eines Beobachters gegen Rauschen</translation>
    </message>
    <message>
        <source>AUC of an observer against iterate</source>
        <translation>AUC eines Beobachters gegen Iteration</translation>
    </message>
</context>
<context>
    <name>Word</name>
    <message>
        <source>Activity of the ROIs, the mean of the scan</source>
        <translation>Aktivität der ROIs, das Mittel der Messung</translation>
    </message>
    <message>
        <source>Or a calibration</source>
        <translation>Oder eine Kalibrierung</translation>
    </message>
    <message>
        <source>none: the ROIs make one</source>
        <translation>keine: aus den ROIs</translation>
    </message>
    <message>
        <source>What &apos;calibrate&apos; has written, or a header of CASToR with its factor</source>
        <translation>Was calibrate geschrieben hat, oder ein Kopf von CASToR mit seinem Faktor</translation>
    </message>
    <message>
        <source>Write it to</source>
        <translation>Schreiben in</translation>
    </message>
    <message>
        <source>no file</source>
        <translation>keine Datei</translation>
    </message>
    <message>
        <source>Keeps the calibration for other scans and for &apos;convert&apos;</source>
        <translation>Behält die Kalibrierung für andere Messungen und für convert</translation>
    </message>
    <message>
        <source>everything</source>
        <translation>alles</translation>
    </message>
    <message>
        <source>its last event, or Finish</source>
        <translation>dem letzten Ereignis oder „Jetzt beenden“</translation>
    </message>
    <message>
        <source>Analytic</source>
        <translation>Analytisch</translation>
    </message>
    <message>
        <source>replicates</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kern</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>ROIs</source>
        <translation>ROIs</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>circle</source>
        <translation>Kreis</translation>
    </message>
    <message>
        <source>annulus</source>
        <translation>Ring</translation>
    </message>
    <message>
        <source>ellipse</source>
        <translation>Ellipse</translation>
    </message>
    <message>
        <source>polygon</source>
        <translation>Polygon</translation>
    </message>
    <message>
        <source>sphere</source>
        <translation>Kugel</translation>
    </message>
    <message>
        <source>cylinder</source>
        <translation>Zylinder</translation>
    </message>
    <message>
        <source>box</source>
        <translation>Quader</translation>
    </message>
    <message>
        <source>region</source>
        <translation>Gebiet</translation>
    </message>
    <message>
        <source>background</source>
        <translation>Hintergrund</translation>
    </message>
    <message>
        <source>uniform</source>
        <translation>gleichförmig</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>upload</source>
        <translation>Upload</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>discrepancy</source>
        <translation>Abweichung</translation>
    </message>
    <message>
        <source>back</source>
        <translation>Rück</translation>
    </message>
    <message>
        <source>update</source>
        <translation>Aktualisieren</translation>
    </message>
    <message>
        <source>download</source>
        <translation>Download</translation>
    </message>
    <message>
        <source>Grey</source>
        <translation>Grau</translation>
    </message>
    <message>
        <source>Inverse grey</source>
        <translation>Grau (inv.)</translation>
    </message>
    <message>
        <source>Hot metal</source>
        <translation>Hot Metal</translation>
    </message>
    <message>
        <source>Inferno</source>
        <translation>Inferno</translation>
    </message>
    <message>
        <source>Viridis</source>
        <translation>Viridis</translation>
    </message>
    <message>
        <source>PET rainbow</source>
        <translation>PET-Regenbogen</translation>
    </message>
    <message>
        <source>Difference, light</source>
        <translation>Differenz, hell</translation>
    </message>
    <message>
        <source>Difference, dark</source>
        <translation>Differenz, dunkel</translation>
    </message>
    <message>
        <source>system matrix</source>
        <translation>Systemmatrix</translation>
    </message>
    <message>
        <source>kernel tables</source>
        <translation>Kerntabellen</translation>
    </message>
    <message>
        <source>data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>sensitivities</source>
        <translation>Sensitivitäten</translation>
    </message>
    <message>
        <source>last iterate</source>
        <translation>letzte Iteration</translation>
    </message>
    <message>
        <source>pausing</source>
        <translation>hält an</translation>
    </message>
    <message>
        <source>finishing</source>
        <translation>wird beendet</translation>
    </message>
    <message>
        <source>cancelling</source>
        <translation>wird abgebrochen</translation>
    </message>
    <message>
        <source>Algorithm</source>
        <translation>Algorithmus</translation>
    </message>
    <message>
        <source>How the image is updated: RAMLA, OSEM and MLEM go by the counts alone, NEGML, AML and analytic without a floor at zero, the others by a prior as well.</source>
        <translation>Wie das Bild aktualisiert wird: RAMLA, OSEM und MLEM gehen nach den Zählungen allein, NEGML, AML und analytic ohne Grenze bei null, die anderen auch nach einem Prior.</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>Where projections are computed; auto takes cuda when there is a device, else cpu, or fftw for kernels that it takes much faster.</source>
        <translation>Wo Projektionen berechnet werden; auto nimmt cuda, wenn es ein Gerät gibt, sonst cpu oder fftw für Kerne, mit denen es viel schneller ist.</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>Strategie</translation>
    </message>
    <message>
        <source>Which of the engine&apos;s projection kernels is used; empty takes its default.</source>
        <translation>Welcher Projektionskernel der Engine benutzt wird; leer nimmt ihre Vorgabe.</translation>
    </message>
    <message>
        <source>SR kernel: a preset name (one&apos;s own: preset:NAME), a JSON file, or JSON text.</source>
        <translation>SR-Kern: Name einer Vorlage (eigene: preset:NAME), eine JSON-Datei oder JSON-Text.</translation>
    </message>
    <message>
        <source>Iterations</source>
        <translation>Iterationen</translation>
    </message>
    <message>
        <source>Passes through all the data.</source>
        <translation>Durchgänge durch alle Daten.</translation>
    </message>
    <message>
        <source>Relaxation λ₀</source>
        <translation>Relaxation λ₀</translation>
    </message>
    <message>
        <source>RAMLA&apos;s first step size lambda0; 1 would be a full OSEM step per view.</source>
        <translation>Erste Schrittweite lambda0 von RAMLA; 1 wäre ein voller OSEM-Schritt je Ansicht.</translation>
    </message>
    <message>
        <source>Decay γ</source>
        <translation>Abfall γ</translation>
    </message>
    <message>
        <source>RAMLA&apos;s step in pass k (from 0) is lambda0 / (1 + gamma k).</source>
        <translation>Der Schritt von RAMLA im Durchgang k (ab 0) ist lambda0 / (1 + gamma k).</translation>
    </message>
    <message>
        <source>Subsets</source>
        <translation>Teilmengen</translation>
    </message>
    <message>
        <source>Blocks per pass; with 0 RAMLA has one for every view, the others as many as the counts allow. MLEM always has one.</source>
        <translation>Blöcke je Durchgang; bei 0 hat RAMLA einen je Ansicht, die anderen so viele, wie die Zählungen erlauben. MLEM hat immer einen.</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Chooses the first view of the geometric block order.</source>
        <translation>Bestimmt die erste Ansicht der geometrischen Blockfolge.</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Compute threads of host engines; 0 takes every core.</source>
        <translation>Rechenthreads der CPU-Engines; 0 nimmt jeden Kern des Prozessors.</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>Speichergrenze</translation>
    </message>
    <message>
        <source>Most memory the engine may take; 0 leaves it to the machine.</source>
        <translation>Wie viel Speicher die Engine höchstens nimmt; 0 überlässt es dem Rechner.</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Index of the CUDA device.</source>
        <translation>Nummer des CUDA-Geräts.</translation>
    </message>
    <message>
        <source>Line projector</source>
        <translation>Linienprojektor</translation>
    </message>
    <message>
        <source>Ring data: how lines cross voxels, by exact lengths or by interpolation.</source>
        <translation>Ringdaten: wie Linien die Voxel schneiden, nach genauen Längen oder durch Interpolation.</translation>
    </message>
    <message>
        <source>Rays per bin</source>
        <translation>Strahlen je Bin</translation>
    </message>
    <message>
        <source>Ring data: lines across the width of a radial bin that are averaged.</source>
        <translation>Ringdaten: Linien über die Breite eines radialen Bins, die gemittelt werden.</translation>
    </message>
    <message>
        <source>Image grid</source>
        <translation>Bildgitter</translation>
    </message>
    <message>
        <source>Ring data: voxels of the image, as in 128x128x63; empty takes the data&apos;s grid.</source>
        <translation>Ringdaten: Voxel des Bildes, etwa 128x128x63; leer nimmt das Gitter der Daten.</translation>
    </message>
    <message>
        <source>Voxel size</source>
        <translation>Voxelgröße</translation>
    </message>
    <message>
        <source>Ring data: edge of the image&apos;s voxels, as 4 or 4x4x2; empty takes the data&apos;s.</source>
        <translation>Ringdaten: Kantenlänge der Bildvoxel, etwa 4 oder 4x4x2; leer nimmt die der Daten.</translation>
    </message>
    <message>
        <source>Axial rays per bin</source>
        <translation>Axiale Strahlen je Bin</translation>
    </message>
    <message>
        <source>Ring data: lines across the width of a ring that are averaged; planes takes one per image plane, as STIR does.</source>
        <translation>Ringdaten: Linien über die Breite eines Rings, die gemittelt werden; planes nimmt eine je Bildebene, wie STIR.</translation>
    </message>
    <message>
        <source>PSF FWHM</source>
        <translation>PSF (FWHM)</translation>
    </message>
    <message>
        <source>PSF model</source>
        <translation>PSF-Modell</translation>
    </message>
    <message>
        <source>the PSF FWHM everywhere</source>
        <translation>überall die PSF-Breite</translation>
    </message>
    <message>
        <source>widths by place, as photons in the scanner&apos;s crystals say</source>
        <translation>Breiten nach dem Ort, wie Photonen in den Kristallen des Scanners es ergeben</translation>
    </message>
    <message>
        <source>Ring data: even blurs the image alike everywhere; scanner blurs it by place, as the crystals of the list&apos;s scanner do, and by the PSF besides.</source>
        <translation>Ringdaten: even verwischt das Bild überall gleich; scanner verwischt es nach dem Ort, wie die Kristalle des Scanners der Liste, und dazu um die PSF.</translation>
    </message>
    <message>
        <source>point spread</source>
        <translation>Punktbild</translation>
    </message>
    <message>
        <source>Ring data: FWHM of the Gaussian blur in the image model; 0 is none.</source>
        <translation>Ringdaten: FWHM der Gauß-Unschärfe im Bildmodell; 0 ist keine.</translation>
    </message>
    <message>
        <source>FOV radius</source>
        <translation>FOV-Radius</translation>
    </message>
    <message>
        <source>Ring data: lines are followed only this near the axis; 0 is no limit.</source>
        <translation>Ringdaten: Linien werden nur so nah an der Achse verfolgt; 0 ist keine Grenze.</translation>
    </message>
    <message>
        <source>Spectrum</source>
        <translation>Spektrum</translation>
    </message>
    <message>
        <source>Fourier engines: transform of the truncated sampled kernel, or the Gaussian&apos;s own.</source>
        <translation>Fourier-Engines: Transformierte des abgeschnittenen, abgetasteten Kerns oder die der Gauß-Funktion.</translation>
    </message>
    <message>
        <source>Zero padding</source>
        <translation>Nullauffüllung</translation>
    </message>
    <message>
        <source>Fourier engines: off (wraps round), auto, or voxels added along x,y,z, as in 16,16,8.</source>
        <translation>Fourier-Engines: off (läuft um), auto oder zusätzliche Voxel längs x,y,z wie in 16,16,8.</translation>
    </message>
    <message>
        <source>Kernel error</source>
        <translation>Kernfehler</translation>
    </message>
    <message>
        <source>Fourier engines: largest error of a spatially variant kernel, a sum of invariant ones there, as a share of its peak.</source>
        <translation>Fourier-Engines: größter Fehler eines ortsabhängigen Kerns, dort eine Summe invarianter, als Anteil seines Spitzenwerts.</translation>
    </message>
    <message>
        <source>voxels</source>
        <translation>Voxel</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>Labels</translation>
    </message>
    <message>
        <source>emissions/voxel</source>
        <translation>Emissionen/Voxel</translation>
    </message>
    <message>
        <source>emissions/ml</source>
        <translation>Emissionen/ml</translation>
    </message>
    <message>
        <source>events/voxel</source>
        <translation>Ereignisse/Voxel</translation>
    </message>
    <message>
        <source>events/bin</source>
        <translation>Ereignisse/Bin</translation>
    </message>
    <message>
        <source>counts/mm</source>
        <translation>Zählungen/mm</translation>
    </message>
    <message>
        <source>relative emissions/mm3</source>
        <translation>relative Emissionen/mm3</translation>
    </message>
    <message>
        <source>kernel id</source>
        <translation>Kern-Nummer</translation>
    </message>
    <message>
        <source>label</source>
        <translation>Marke</translation>
    </message>
    <message>
        <source>One colour</source>
        <translation>Eine Farbe</translation>
    </message>
    <message>
        <source>The device beside the paper&apos;s</source>
        <translation>Das Gerät neben dem der Arbeit</translation>
    </message>
    <message>
        <source>What the device says of every projection kernel, and seconds per view with each</source>
        <translation>Was das Gerät von jedem Projektionskern sagt, und Sekunden je Ansicht mit jedem</translation>
    </message>
    <message>
        <source>A point in a view at 45 degrees</source>
        <translation>Ein Punkt in einer Ansicht bei 45 Grad</translation>
    </message>
    <message>
        <source>Time of a projection against the kernel&apos;s widths and the voxel, on every engine that is there</source>
        <translation>Zeit einer Projektion gegen die Breiten des Kerns und das Voxel, auf jeder Engine, die da ist</translation>
    </message>
    <message>
        <source>Step, ripples and wrapped tails of a wide kernel by Fourier transform, apart from each other</source>
        <translation>Stufe, Wellen und umgebrochene Ausläufer eines breiten Kerns mit Fourier-Transformation, jedes für sich</translation>
    </message>
    <message>
        <source>Three points forward and back through a variant kernel</source>
        <translation>Drei Punkte vorwärts und zurück durch einen varianten Kern</translation>
    </message>
    <message>
        <source>Three points forward and back through symmetric and asymmetric, invariant and variant kernels</source>
        <translation>Drei Punkte vorwärts und zurück durch symmetrische und asymmetrische, invariante und variante Kerne</translation>
    </message>
    <message>
        <source>Models of radial resolution against the distance from the centre</source>
        <translation>Modelle der radialen Auflösung gegen den Abstand von der Mitte</translation>
    </message>
    <message>
        <source>Seconds per iteration with every kernel</source>
        <translation>Sekunden je Iteration mit jedem Kern</translation>
    </message>
    <message>
        <source>Seconds of every stage of 20 iterations, invariant and variant1</source>
        <translation>Sekunden jeder Stufe von 20 Iterationen, invariant und variant1</translation>
    </message>
    <message>
        <source>Contrast recovery against noise for every kernel</source>
        <translation>Kontrasterholung gegen Rauschen für jeden Kern</translation>
    </message>
    <message>
        <source>Images at matched noise for every kernel, and how far edges ring</source>
        <translation>Bilder bei gleichem Rauschen für jeden Kern, und wie weit Ränder überschwingen</translation>
    </message>
    <message>
        <source>Both ways to use a cache, forward and back</source>
        <translation>Beide Arten, einen Cache zu nutzen, vorwärts und zurück</translation>
    </message>
    <message>
        <source>The same as a chart</source>
        <translation>Dasselbe als Diagramm</translation>
    </message>
    <message>
        <source>A slice forward and back at 30 degrees</source>
        <translation>Eine Schicht vorwärts und zurück bei 30 Grad</translation>
    </message>
    <message>
        <source>Times and speed-ups, noise to signal, contrast recovery, the race</source>
        <translation>Zeiten und Beschleunigungen, Rauschen zu Signal, Kontrasterholung, der Wettlauf</translation>
    </message>
    <message>
        <source>Slices of both phantoms, time by stage, noise to signal</source>
        <translation>Schichten beider Phantome, Zeit nach Stufen, Rauschen zu Signal</translation>
    </message>
    <message>
        <source>Lines and classes of two panels, and what an iteration costs</source>
        <translation>Linien und Klassen zweier Panels, und was eine Iteration kostet</translation>
    </message>
    <message>
        <source>Rods by Monte Carlo of crystals: what is resolved</source>
        <translation>Stäbe mit Monte-Carlo der Kristalle: was aufgelöst wird</translation>
    </message>
    <message>
        <source>One list in three forms, measured kernels, bands of confidence, 2 mm voxels, a long axial field, list-mode</source>
        <translation>Eine Liste in drei Formen, gemessene Kerne, Vertrauensbänder, 2-mm-Voxel, ein langes axiales Feld, List-Mode</translation>
    </message>
    <message>
        <source>Contrast at matched noise, even resolution by kappa, anatomy that is right, shifted or wrong</source>
        <translation>Kontrast bei gleichem Rauschen, gleichmäßige Auflösung durch Kappa, eine Anatomie, die stimmt, verschoben oder falsch ist</translation>
    </message>
    <message>
        <source>3 million counts in a cylinder with spheres, 72 x 72 x 12 voxels</source>
        <translation>3 Millionen Zählungen in einem Zylinder mit Kugeln, 72 x 72 x 12 Voxel</translation>
    </message>
    <message>
        <source>30 million counts</source>
        <translation>30 Millionen Zählungen</translation>
    </message>
    <message>
        <source>Time of BSREM and SVRG until ten iterates in a row agree with the converged image</source>
        <translation>Zeit von BSREM und SVRG, bis zehn Iterationen in Folge mit dem auskonvergierten Bild übereinstimmen</translation>
    </message>
    <message>
        <source>5 million counts in a cylinder with spheres, 72 x 72 x 12 voxels</source>
        <translation>5 Millionen Zählungen in einem Zylinder mit Kugeln, 72 x 72 x 12 Voxel</translation>
    </message>
    <message>
        <source>430 million prompts of the LaBr3 scanner with scatter and randoms</source>
        <translation>430 Millionen Prompts des LaBr3-Scanners mit Streuung und Zufällen</translation>
    </message>
    <message>
        <source>the device</source>
        <translation>das Gerät</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>dasselbe</translation>
    </message>
    <message>
        <source>the paper&apos;s lattice and kernel, 3 runs each</source>
        <translation>Gitter und Kern der Arbeit, je 3 Läufe</translation>
    </message>
    <message>
        <source>15 runs each</source>
        <translation>je 15 Läufe</translation>
    </message>
    <message>
        <source>the paper&apos;s lattice</source>
        <translation>das Gitter der Arbeit</translation>
    </message>
    <message>
        <source>half the paper&apos;s field, voxels of 4, 3 and 2 mm, 3 runs each</source>
        <translation>das halbe Feld der Arbeit, Voxel von 4, 3 und 2 mm, je 3 Läufe</translation>
    </message>
    <message>
        <source>the paper&apos;s field, voxels of 4 to 2 mm, 15 runs each</source>
        <translation>das Feld der Arbeit, Voxel von 4 bis 2 mm, je 15 Läufe</translation>
    </message>
    <message>
        <source>the paper&apos;s lattice and kernel</source>
        <translation>Gitter und Kern der Arbeit</translation>
    </message>
    <message>
        <source>the paper&apos;s lattice and kernels</source>
        <translation>Gitter und Kerne der Arbeit</translation>
    </message>
    <message>
        <source>every preset of the paper&apos;s scanner</source>
        <translation>jede Voreinstellung für den Scanner der Arbeit</translation>
    </message>
    <message>
        <source>10 x 3 of the 40 x 3 views, 2 iterations</source>
        <translation>10 x 3 der 40 x 3 Ansichten, 2 Iterationen</translation>
    </message>
    <message>
        <source>40 x 3 views, 20 iterations</source>
        <translation>40 x 3 Ansichten, 20 Iterationen</translation>
    </message>
    <message>
        <source>expected counts without noise, 96 x 96 x 10 voxels, 20 views, 16 iterations</source>
        <translation>erwartete Ereigniszahlen ohne Rauschen, 96 x 96 x 10 Voxel, 20 Ansichten, 16 Iterationen</translation>
    </message>
    <message>
        <source>430 million prompts of the LaBr3 scanner with scatter and randoms, 26 iterations, 20 replicates</source>
        <translation>430 Millionen Koinzidenzen des LaBr3-Scanners mit Streuung und Zufälligen, 26 Iterationen, 20 Wiederholungen</translation>
    </message>
    <message>
        <source>the last iterates of ha-fig9</source>
        <translation>die letzten Iterierten von ha-fig9</translation>
    </message>
    <message>
        <source>8 % noise</source>
        <translation>8 % Rauschen</translation>
    </message>
    <message>
        <source>144 x 144 x 62 voxels, 3 runs each</source>
        <translation>144 x 144 x 62 Voxel, je 3 Läufe</translation>
    </message>
    <message>
        <source>144 x 144 x 62 voxels</source>
        <translation>144 x 144 x 62 Voxel</translation>
    </message>
    <message>
        <source>3 of the 24 rings, 160 x 160 pixels, without noise, 50 updates</source>
        <translation>3 der 24 Ringe, 160 x 160 Pixel, ohne Rauschen, 50 Aktualisierungen</translation>
    </message>
    <message>
        <source>the whole scanner, 256 x 256 x 47 voxels, 40 iterations of MLEM</source>
        <translation>der ganze Scanner, 256 x 256 x 47 Voxel, 40 Iterationen MLEM</translation>
    </message>
    <message>
        <source>those of belzunce-tables</source>
        <translation>die von belzunce-tables</translation>
    </message>
    <message>
        <source>times of small-panel, 3 million events</source>
        <translation>Zeiten von small-panel, 3 Millionen Ereignisse</translation>
    </message>
    <message>
        <source>hrrt-panel, 172 million events, 24 iterations</source>
        <translation>hrrt-panel, 172 Millionen Ereignisse, 24 Iterationen</translation>
    </message>
    <message>
        <source>small-derenzo in small-panel, 24 iterations</source>
        <translation>small-derenzo in small-panel, 24 Iterationen</translation>
    </message>
    <message>
        <source>micro-derenzo in hrrt-panel</source>
        <translation>micro-derenzo in hrrt-panel</translation>
    </message>
    <message>
        <source>150,000 to 400,000 events a part, small scanners and lattices, 100 scans for the bands</source>
        <translation>je Teil 150.000 bis 400.000 Ereignisse, kleine Scanner und Gitter, 100 Aufnahmen für die Bänder</translation>
    </message>
    <message>
        <source>20 million events, the LaBr3 and a long scanner, 100 scans for the bands</source>
        <translation>20 Millionen Ereignisse, der LaBr3- und ein langer Scanner, 100 Aufnahmen für die Bänder</translation>
    </message>
    <message>
        <source>probability</source>
        <translation>Wahrsch.</translation>
    </message>
    <message>
        <source>histo-images</source>
        <translation>Histo-Bilder</translation>
    </message>
    <message>
        <source>sinograms</source>
        <translation>Sinogramme</translation>
    </message>
    <message>
        <source>lines of two panels</source>
        <translation>Linien zweier Platten</translation>
    </message>
    <message>
        <source>Resolution, sensitivity, scatter fraction and count rates of a scanner, as the standard finds them</source>
        <translation>Auflösung, Empfindlichkeit, Streuanteil und Zählraten eines Scanners, wie die Norm sie bestimmt</translation>
    </message>
    <message>
        <source>Contrast of six spheres, and errors of corrected slices against activity</source>
        <translation>Kontrast von sechs Kugeln, und Fehler korrigierter Schichten gegen die Aktivität</translation>
    </message>
    <message>
        <source>200,000 prompts of the spheres, too few to judge</source>
        <translation>200.000 prompte Koinzidenzen der Kugeln, zu wenige für ein Urteil</translation>
    </message>
    <message>
        <source>20 million prompts of the spheres, 2 million at each of 18 activities</source>
        <translation>20 Millionen prompte Koinzidenzen der Kugeln, 2 Millionen bei jeder von 18 Aktivitäten</translation>
    </message>
    <message>
        <source>Resolution, sensitivity, scatter fractions and count rates of a scanner for small animals</source>
        <translation>Auflösung, Empfindlichkeit, Streuanteile und Zählraten eines Kleintierscanners</translation>
    </message>
    <message>
        <source>the description of a scanner</source>
        <translation>die Beschreibung eines Scanners</translation>
    </message>
    <message>
        <source>Siemens Inveon, for small animals</source>
        <translation>Siemens Inveon, für Kleintiere</translation>
    </message>
    <message>
        <source>20,000 events a scan, 7 activities</source>
        <translation>je Aufnahme 20.000 Ereignisse, 7 Aktivitäten</translation>
    </message>
    <message>
        <source>a million events a scan, 18 activities</source>
        <translation>je Aufnahme eine Million Ereignisse, 18 Aktivitäten</translation>
    </message>
    <message>
        <source>Scatters, crystals and positrons as the Monte Carlo draws them, beside formulas and tables</source>
        <translation>Streuungen, Kristalle und Positronen, wie das Monte Carlo sie zieht, neben Formeln und Tabellen</translation>
    </message>
    <message>
        <source>400,000 scatters, 200,000 positrons</source>
        <translation>400.000 Streuungen, 200.000 Positronen</translation>
    </message>
    <message>
        <source>20 million scatters, 2 million positrons</source>
        <translation>20 Millionen Streuungen, 2 Millionen Positronen</translation>
    </message>
    <message>
        <source>Siemens Biograph Vision 450</source>
        <translation>Siemens Biograph Vision 450</translation>
    </message>
    <message>
        <source>Siemens Biograph Vision Quadra with all its rings</source>
        <translation>Siemens Biograph Vision Quadra mit allen Ringen</translation>
    </message>
    <message>
        <source>GE Discovery MI with four rings of blocks</source>
        <translation>GE Discovery MI mit vier Ringen von Blöcken</translation>
    </message>
    <message>
        <source>GE Signa PET/MR</source>
        <translation>GE Signa PET/MR</translation>
    </message>
    <message>
        <source>Philips Vereos</source>
        <translation>Philips Vereos</translation>
    </message>
    <message>
        <source>PennPET Explorer of three segments</source>
        <translation>PennPET Explorer aus drei Segmenten</translation>
    </message>
    <message>
        <source>United Imaging uMI 550</source>
        <translation>United Imaging uMI 550</translation>
    </message>
    <message>
        <source>A clinical time-of-flight scanner</source>
        <translation>Ein klinischer Flugzeit-Scanner</translation>
    </message>
    <message>
        <source>GE Discovery STE by its crystals, for Monte Carlo</source>
        <translation>GE Discovery STE mit seinen Kristallen, für Monte Carlo</translation>
    </message>
    <message>
        <source>hrrt-panel with the layer of an interaction told</source>
        <translation>hrrt-panel, das die Schicht einer Wechselwirkung nennt</translation>
    </message>
    <message>
        <source>hrrt-panel with heads of 208 x 208 crystals, to which the paper extends them so that every symmetry holds</source>
        <translation>hrrt-panel mit Köpfen von 208 x 208 Kristallen, auf die der Aufsatz sie erweitert, damit jede Symmetrie gilt</translation>
    </message>
    <message>
        <source>Two HRRT heads 6 cm apart for small animals</source>
        <translation>Zwei HRRT-Köpfe im Abstand von 6 cm für kleine Tiere</translation>
    </message>
    <message>
        <source>The scanner labr3 without `detection`</source>
        <translation>Der Scanner labr3 ohne `detection`</translation>
    </message>
    <message>
        <source>Whole-body LaBr3:Ce time-of-flight scanner of the University of Pennsylvania</source>
        <translation>LaBr3:Ce-Flugzeit-Ganzkörperscanner der Universität von Pennsylvania</translation>
    </message>
    <message>
        <source>A scanner with a long axial field of view</source>
        <translation>Ein Scanner mit langem axialem Gesichtsfeld</translation>
    </message>
    <message>
        <source>A quarter of hrrt-panel along each side, 26 x 18 crystals, 2 cm apart</source>
        <translation>Ein Viertel von hrrt-panel entlang jeder Seite, 26 x 18 Kristalle im Abstand von 2 cm</translation>
    </message>
    <message>
        <source>Approximate NEMA NU 2-2001 image-quality phantom as in paper 003</source>
        <translation>Bildqualitätsphantom ungefähr nach NEMA NU 2-2001 wie in Aufsatz 003</translation>
    </message>
    <message>
        <source>NEMA NU 2-2018 image-quality phantom</source>
        <translation>Bildqualitätsphantom nach NEMA NU 2-2018</translation>
    </message>
    <message>
        <source>NEMA NU 4-2008 image-quality phantom for small animals</source>
        <translation>Bildqualitätsphantom für Kleintiere nach NEMA NU 4-2008</translation>
    </message>
    <message>
        <source>Line source of 700 mm on the axis, in air</source>
        <translation>Linienquelle von 700 mm auf der Achse, in Luft</translation>
    </message>
    <message>
        <source>Scatter phantom of NEMA NU 2</source>
        <translation>Streuphantom nach NEMA NU 2</translation>
    </message>
    <message>
        <source>Thirty-nine point sources in air, thirteen azimuths at each of 90, 180 and 270 mm from the axis, so that no two of a radius lie alike to the crystals and modules of a ring</source>
        <translation>Neununddreißig Punktquellen in Luft, je dreizehn Azimute bei 90, 180 und 270 mm von der Achse, so dass keine zwei eines Radius gleich zu Kristallen und Modulen eines Rings liegen</translation>
    </message>
    <message>
        <source>Water cylinder with six hot spheres of 10 mm diameter, 6:1, in the plane z = 2 mm</source>
        <translation>Wasserzylinder mit sechs heißen Kugeln von 10 mm Durchmesser, 6:1, in der Ebene z = 2 mm</translation>
    </message>
    <message>
        <source>Uniform water cylinder of 200 mm diameter, longer than the scanner, as in paper 003</source>
        <translation>Homogener Wasserzylinder von 200 mm Durchmesser, länger als der Scanner, wie in Aufsatz 003</translation>
    </message>
    <message>
        <source>Voxel</source>
        <translation>Voxel</translation>
    </message>
    <message>
        <source>Edge of a voxel; the lattice keeps 576 x 576 x 192 mm</source>
        <translation>Kante eines Voxels; das Gitter behält 576 x 576 x 192 mm</translation>
    </message>
    <message>
        <source>Lattice</source>
        <translation>Gitter</translation>
    </message>
    <message>
        <source>Voxels along x, y and z, as 144x144x48, for a lattice of another size</source>
        <translation>Voxel entlang x, y und z, etwa 144x144x48, für ein Gitter anderer Größe</translation>
    </message>
    <message>
        <source>what the size asks for</source>
        <translation>wie es die Größe verlangt</translation>
    </message>
    <message>
        <source>Time resolution in ps that grows with the singles per second of the whole scanner</source>
        <translation>Zeitauflösung in ps, die mit den Einzelereignissen pro Sekunde des ganzen Scanners wächst</translation>
    </message>
    <message>
        <source>Time resolution by rate</source>
        <translation>Zeitauflösung nach Rate</translation>
    </message>
    <message>
        <source>FWHM by rate</source>
        <translation>Halbwertsbreite nach Rate</translation>
    </message>
    <message>
        <source>Singles per second: FWHM in ps, ..., straight between them</source>
        <translation>Einzelereignisse pro Sekunde: Halbwertsbreite in ps, ..., dazwischen gerade</translation>
    </message>
    <message>
        <source>Rates that grow, each with its ps: &quot;1 M: 375, 20 M: 430&quot;</source>
        <translation>Raten, die wachsen, jede mit ihren ps: „1 M: 375, 20 M: 430“</translation>
    </message>
    <message>
        <source>Replicates</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>So many studies of seeds in a row: their spread is the noise, their mean the bias</source>
        <translation>So viele Studien mit Startwerten in Folge: ihre Streuung ist das Rauschen, ihr Mittel zeigt die Abweichung</translation>
    </message>
    <message>
        <source>Study folder</source>
        <translation>Studienordner</translation>
    </message>
    <message>
        <source>Chooses where the study is made</source>
        <translation>Wählt, wo die Studie entsteht</translation>
    </message>
    <message>
        <source>Studies (*.tofstudy)</source>
        <translation>Studien (*.tofstudy)</translation>
    </message>
    <message>
        <source>Corrections</source>
        <translation>Korrekturen</translation>
    </message>
    <message>
        <source>Expected randoms go with the data, found from the delayed window as a scanner does</source>
        <translation>Erwartete Zufällige gehen mit den Daten, aus dem verzögerten Fenster gefunden wie bei einem Scanner</translation>
    </message>
    <message>
        <source>randoms, from delayed coincidences</source>
        <translation>Zufällige, aus verzögerten Koinzidenzen</translation>
    </message>
    <message>
        <source>Expected scatter goes with the data, by single scatter simulation with times of flight</source>
        <translation>Erwartete Streuung geht mit den Daten, durch Simulation der Einfachstreuung mit Flugzeiten</translation>
    </message>
    <message>
        <source>scatter, from the data&apos;s own image</source>
        <translation>Streuung, aus dem eigenen Bild der Daten</translation>
    </message>
    <message>
        <source>The study that is made, NAME.tofstudy</source>
        <translation>Die Studie, die entsteht, NAME.tofstudy</translation>
    </message>
    <message>
        <source>what attenuates: the phantom of the data</source>
        <translation>was schwächt: das Phantom der Daten</translation>
    </message>
    <message>
        <source>lines of response</source>
        <translation>Messlinien</translation>
    </message>
    <message>
        <source>lines between two heads</source>
        <translation>Linien zwischen zwei Köpfen</translation>
    </message>
    <message>
        <source>Sagittal, coronal to the heads</source>
        <translation>Sagittal, koronal zu den Köpfen</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>What the events become, and with it which reconstruction they are for</source>
        <translation>Wozu die Ereignisse werden, und damit für welche Rekonstruktion sie sind</translation>
    </message>
    <message>
        <source>Azimuths</source>
        <translation>Azimute</translation>
    </message>
    <message>
        <source>Views over 180 degrees</source>
        <translation>Ansichten über 180 Grad</translation>
    </message>
    <message>
        <source>Tilts</source>
        <translation>Neigungen</translation>
    </message>
    <message>
        <source>Equal intervals of the axial acceptance</source>
        <translation>Gleiche Intervalle der axialen Akzeptanz</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>Spread events over eight voxels instead of the nearest one</source>
        <translation>Ereignisse auf acht Voxel statt auf das nächste verteilen</translation>
    </message>
    <message>
        <source>spread over eight voxels</source>
        <translation>auf acht Voxel verteilen</translation>
    </message>
    <message>
        <source>End points</source>
        <translation>Endpunkte</translation>
    </message>
    <message>
        <source>Events end evenly spread over their crystals&apos; faces; else at their centres, on a comb of lines that beats with the voxels</source>
        <translation>Ereignisse enden gleichmäßig verteilt auf ihren Kristallflächen, sonst in deren Mitten: auf einem Kamm von Linien, der mit den Voxeln schwebt</translation>
    </message>
    <message>
        <source>spread over the crystals&apos; faces</source>
        <translation>über die Kristallflächen verteilen</translation>
    </message>
    <message>
        <source>Attenuation in</source>
        <translation>Schwächung in</translation>
    </message>
    <message>
        <source>What the attenuation volume holds; CT is converted from 120 kVp to 511 keV</source>
        <translation>Was das Schwächungsvolumen enthält; CT wird von 120 kVp auf 511 keV umgerechnet</translation>
    </message>
    <message>
        <source>1/cm, or as the file says</source>
        <translation>1/cm, oder wie die Datei sagt</translation>
    </message>
    <message>
        <source>Hounsfield units</source>
        <translation>Hounsfield-Einheiten</translation>
    </message>
    <message>
        <source>Scanner</source>
        <translation>Scanner</translation>
    </message>
    <message>
        <source>Scanner when the list only names it: built-in name, geometry file or crystal map; or the rings whose sinograms or lines these are</source>
        <translation>Scanner, wo die Liste ihn nur nennt: eingebauter Name, Geometriedatei oder Kristallkarte; oder die Ringe, deren Sinogramme oder Linien dies sind</translation>
    </message>
    <message>
        <source>that of the file</source>
        <translation>die der Datei</translation>
    </message>
    <message>
        <source>the list&apos;s own</source>
        <translation>der der Liste</translation>
    </message>
    <message>
        <source>Attenuation</source>
        <translation>Schwächung</translation>
    </message>
    <message>
        <source>Attenuation volume in 1/cm, or none; without it the phantom the list names, if any</source>
        <translation>Schwächungsvolumen in 1/cm, oder none; ohne dieses das Phantom, das die Liste nennt, wenn sie eines nennt</translation>
    </message>
    <message>
        <source>the list&apos;s phantom</source>
        <translation>das Phantom der Liste</translation>
    </message>
    <message>
        <source>Lines take mult and add from these sinograms (.h5), or their probability of being recorded from this CASToR normalisation (.cdh)</source>
        <translation>Linien nehmen mult und add aus diesen Sinogrammen (.h5), oder die Wahrscheinlichkeit ihrer Aufzeichnung aus dieser CASToR-Normierung (.cdh)</translation>
    </message>
    <message>
        <source>Randoms</source>
        <translation>Zufällige</translation>
    </message>
    <message>
        <source>Randoms of ECAT8 list-mode, from its delayed coincidences</source>
        <translation>Zufällige aus ECAT8-Listmode, aus dessen verzögerten Koinzidenzen</translation>
    </message>
    <message>
        <source>estimate them from delayed coincidences</source>
        <translation>aus verzögerten Koinzidenzen schätzen</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>Segmente</translation>
    </message>
    <message>
        <source>Keep only the first segments of ECAT8 list-mode; 0 keeps all</source>
        <translation>Nur die ersten Segmente von ECAT8-Listmode behalten; 0 behält alle</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>Times of flight</source>
        <translation>Flugzeiten</translation>
    </message>
    <message>
        <source>Take times of flight as t2 - t1</source>
        <translation>Flugzeiten als t2 - t1 nehmen</translation>
    </message>
    <message>
        <source>turn them round</source>
        <translation>umkehren</translation>
    </message>
    <message>
        <source>Bin lines or sinograms without the times of flight</source>
        <translation>Linien oder Sinogramme ohne die Flugzeiten bilden</translation>
    </message>
    <message>
        <source>leave them out</source>
        <translation>weglassen</translation>
    </message>
    <message>
        <source>not stated</source>
        <translation>nicht angegeben</translation>
    </message>
    <message>
        <source>Nuclide</source>
        <translation>Nuklid</translation>
    </message>
    <message>
        <source>Stated factor</source>
        <translation>Angegebener Faktor</translation>
    </message>
    <message>
        <source>as the file states it</source>
        <translation>wie die Datei ihn angibt</translation>
    </message>
    <message>
        <source>Factor to physical units that PETSIRD (calibrationFactor) and Interfile (quantification units) state: taken, or left out</source>
        <translation>Faktor zu physikalischen Einheiten, den PETSIRD (calibrationFactor) und Interfile (quantification units) angeben: angewandt oder weggelassen</translation>
    </message>
    <message>
        <source>Nuclide that decays while frames are measured: their images become Bq/ml at the start of the scan</source>
        <translation>Nuklid, das zerfällt, während Zeitfenster gemessen werden: ihre Bilder werden Bq/ml zu Beginn der Aufnahme</translation>
    </message>
    <message>
        <source>Gates</source>
        <translation>Gates</translation>
    </message>
    <message>
        <source>Cut the list, or each of its frames, into gates: a table of the times of triggers in s, or of times in s and values of a signal; or &apos;respiratory&apos; or &apos;cardiac&apos;, the triggers in the tags of Siemens lists</source>
        <translation>Die Liste oder jedes ihrer Zeitfenster in Gates schneiden: eine Tabelle der Zeiten von Triggern in s, oder von Zeiten in s und Werten eines Signals; oder „respiratory“ oder „cardiac“, die Trigger in den Tags von Siemens-Listen</translation>
    </message>
    <message>
        <source>Number of gates</source>
        <translation>Zahl der Gates</translation>
    </message>
    <message>
        <source>Motion</source>
        <translation>Bewegung</translation>
    </message>
    <message>
        <source>Move every event of histo-images or lines back into one pose, by the poses of a tracker (.tsv, .json)</source>
        <translation>Jedes Ereignis von Histo-Bildern oder Linien in eine Lage zurückbewegen, nach den Lagen eines Trackers (.tsv, .json)</translation>
    </message>
    <message>
        <source>Between poses</source>
        <translation>Zwischen Lagen</translation>
    </message>
    <message>
        <source>A pose holds until the next one, or motion goes evenly from one to the next</source>
        <translation>Eine Lage gilt bis zur nächsten, oder die Bewegung geht gleichmäßig von einer zur nächsten</translation>
    </message>
    <message>
        <source>a pose holds until the next</source>
        <translation>eine Lage gilt bis zur nächsten</translation>
    </message>
    <message>
        <source>evenly from one to the next</source>
        <translation>gleichmäßig von einer zur nächsten</translation>
    </message>
    <message>
        <source>The events were moved back into one pose by poses that the file does not hold; bin the list again</source>
        <translation>Die Ereignisse wurden in eine Lage zurückbewegt, durch Lagen, die die Datei nicht enthält; binnen Sie die Liste noch einmal</translation>
    </message>
    <message>
        <source>Gates of each cycle, or of the signal</source>
        <translation>Gates jedes Zyklus oder des Signals</translation>
    </message>
    <message>
        <source>Gate by</source>
        <translation>Gates nach</translation>
    </message>
    <message>
        <source>Equal parts of the time from one trigger to the next, or bands of a signal that it is in for equally long</source>
        <translation>Gleiche Teile der Zeit von einem Trigger zum nächsten, oder Bereiche eines Signals, in denen es gleich lange ist</translation>
    </message>
    <message>
        <source>phase between triggers</source>
        <translation>Phase zwischen Triggern</translation>
    </message>
    <message>
        <source>amplitude of a signal</source>
        <translation>Amplitude eines Signals</translation>
    </message>
    <message>
        <source>Time frames</source>
        <translation>Zeitfenster</translation>
    </message>
    <message>
        <source>Cut the list by time: frames one after the other, as 12x10s,8x30s,5x5min, or a file that says them (.tsv of start and duration in s, or the .json of a BIDS image)</source>
        <translation>Die Liste nach der Zeit schneiden: Zeitfenster nacheinander, etwa 12x10s,8x30s,5x5min, oder eine Datei, die sie nennt (.tsv mit Beginn und Dauer in s, oder die .json eines BIDS-Bilds)</translation>
    </message>
    <message>
        <source>one for the whole list</source>
        <translation>eines für die ganze Liste</translation>
    </message>
    <message>
        <source>Damaged file</source>
        <translation>Beschädigte Datei</translation>
    </message>
    <message>
        <source>Read truncated list-mode as far as it goes</source>
        <translation>Abgeschnittenen Listmode lesen, so weit er reicht</translation>
    </message>
    <message>
        <source>take it as far as it goes when it ends too early</source>
        <translation>lesen, so weit es geht, wenn die Datei zu früh endet</translation>
    </message>
    <message>
        <source>Frame</source>
        <translation>Zeitfenster</translation>
    </message>
    <message>
        <source>Which of several frames of sinograms, from 1; 0 takes the only one</source>
        <translation>Welches von mehreren Zeitfenstern der Sinogramme, ab 1; 0 nimmt das einzige</translation>
    </message>
    <message>
        <source>the only one</source>
        <translation>das einzige</translation>
    </message>
    <message>
        <source>Multiplicity</source>
        <translation>Vielfachheit</translation>
    </message>
    <message>
        <source>Number of crystal pairs that span and mashing add up in a bin</source>
        <translation>Zahl der Kristallpaare, die Span und Mashing in einem Bin zusammenzählen</translation>
    </message>
    <message>
        <source>where counts are whole numbers</source>
        <translation>wo die Zählwerte ganze Zahlen sind</translation>
    </message>
    <message>
        <source>part of the efficiency</source>
        <translation>Teil der Ausbeute</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>weggelassen</translation>
    </message>
    <message>
        <source>Survival, efficiency</source>
        <translation>Überleben, Ausbeute</translation>
    </message>
    <message>
        <source>Sinograms (.hs or .h5, several with commas) that multiply expected counts: survival, efficiency</source>
        <translation>Sinogramme (.hs oder .h5, mehrere mit Kommas), die erwartete Zählwerte vervielfachen: Überleben, Ausbeute</translation>
    </message>
    <message>
        <source>Attenuation correction factors</source>
        <translation>Schwächungskorrekturfaktoren</translation>
    </message>
    <message>
        <source>Sinograms of attenuation correction factors, whose inverse multiplies expected counts</source>
        <translation>Sinogramme der Schwächungskorrekturfaktoren, deren Kehrwert erwartete Zählwerte vervielfacht</translation>
    </message>
    <message>
        <source>Normalisation factors</source>
        <translation>Normierungsfaktoren</translation>
    </message>
    <message>
        <source>Sinograms of normalisation factors as STIR&apos;s, whose inverse multiplies expected counts; 0: not measured; or Siemens&apos; components (.n.hdr), or GE&apos;s normalisation (RDF 9)</source>
        <translation>Sinogramme der Normierungsfaktoren wie in STIR, deren Kehrwert erwartete Zählwerte vervielfacht; 0: nicht gemessen; oder die Anteile von Siemens (.n.hdr), oder die Normierung von GE (RDF 9)</translation>
    </message>
    <message>
        <source>Scatter and randoms</source>
        <translation>Streuung und Zufällige</translation>
    </message>
    <message>
        <source>Sinograms of expected scatter and randoms, in counts</source>
        <translation>Sinogramme der erwarteten Streuung und Zufälligen, in Zählwerten</translation>
    </message>
    <message>
        <source>Efficiencies</source>
        <translation>Ausbeuten</translation>
    </message>
    <message>
        <source>List of a normalisation scan without scatter, of the phantom that it names</source>
        <translation>Liste einer Normierungsmessung ohne Streuung, des Phantoms, das sie nennt</translation>
    </message>
    <message>
        <source>list of a normalisation scan</source>
        <translation>Liste einer Normierungsmessung</translation>
    </message>
    <message>
        <source>Delayeds</source>
        <translation>Verzögerte</translation>
    </message>
    <message>
        <source>List of the delayed coincidences of the same scan</source>
        <translation>Liste der verzögerten Koinzidenzen derselben Messung</translation>
    </message>
    <message>
        <source>list of the delayed coincidences</source>
        <translation>Liste der verzögerten Koinzidenzen</translation>
    </message>
    <message>
        <source>How randoms are taken</source>
        <translation>Wie Zufällige genommen werden</translation>
    </message>
    <message>
        <source>Counts with their mean beside them stay Poisson; what falls below zero becomes zero</source>
        <translation>Zählwerte mit ihrem Mittel daneben bleiben Poisson; was unter null fällt, wird null</translation>
    </message>
    <message>
        <source>their mean is expected beside the counts</source>
        <translation>ihr Mittel wird neben den Zählwerten erwartet</translation>
    </message>
    <message>
        <source>taken from the counts, line by line</source>
        <translation>von den Zählwerten abgezogen, Linie für Linie</translation>
    </message>
    <message>
        <source>Singles</source>
        <translation>Einzelne</translation>
    </message>
    <message>
        <source>Singles of the crystals in the same scan</source>
        <translation>Einzelereignisse der Kristalle in derselben Messung</translation>
    </message>
    <message>
        <source>singles of the crystals</source>
        <translation>Einzelereignisse der Kristalle</translation>
    </message>
    <message>
        <source>Sinograms do not say how their crystals detect: the scanner does</source>
        <translation>Sinogramme sagen nicht, wie ihre Kristalle messen: der Scanner sagt es</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>Runden</translation>
    </message>
    <message>
        <source>How often image and scatter are found in turn</source>
        <translation>Wie oft Bild und Streuung im Wechsel bestimmt werden</translation>
    </message>
    <message>
        <source>Leaves out what was scattered more than once, which scaling to what is measured where nothing emits takes in</source>
        <translation>Lässt aus, was mehrfach gestreut wurde; die Anpassung an das, was gemessen wird, wo nichts strahlt, nimmt es hinzu</translation>
    </message>
    <message>
        <source>left as it is simulated, not scaled to the tails</source>
        <translation>wie simuliert, nicht an die Ränder angepasst</translation>
    </message>
    <message>
        <source>Who adds up over scatter points and lines</source>
        <translation>Wer über Streupunkte und Linien summiert</translation>
    </message>
    <message>
        <source>Attenuation volume</source>
        <translation>Schwächungsvolumen</translation>
    </message>
    <message>
        <source>what attenuates: a volume in 1/cm</source>
        <translation>was schwächt: ein Volumen in 1/cm</translation>
    </message>
    <message>
        <source>GE Discovery STE, 24 rings of 560 crystals; sinograms</source>
        <translation>GE Discovery STE, 24 Ringe zu 560 Kristallen; Sinogramme</translation>
    </message>
    <message>
        <source>hot rods of 2.4 to 0.75 mm, for two panels</source>
        <translation>heiße Stäbe von 2,4 bis 0,75 mm, für zwei Platten</translation>
    </message>
    <message>
        <source>the three thickest of them, for the small panels</source>
        <translation>die drei dicksten davon, für die kleinen Platten</translation>
    </message>
    <message>
        <source>rat of 200 mm with organs that emit and attenuate</source>
        <translation>Ratte von 200 mm mit Organen, die strahlen und schwächen</translation>
    </message>
    <message>
        <source>the same rat with its head in the middle</source>
        <translation>dieselbe Ratte mit dem Kopf in der Mitte</translation>
    </message>
    <message>
        <source>head with a folded cortex, 4:1 over white matter, and a skull</source>
        <translation>Kopf mit gefalteter Rinde, 4:1 über weißer Substanz, und Schädel</translation>
    </message>
    <message>
        <source>A scanner of one&apos;s own: a JSON description</source>
        <translation>Ein eigener Scanner: eine JSON-Beschreibung</translation>
    </message>
    <message>
        <source>Scanners (*.json);;All files (*)</source>
        <translation>Scanner (*.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Phantom</source>
        <translation>Phantom</translation>
    </message>
    <message>
        <source>A phantom of one&apos;s own: a JSON description, or an emission and an attenuation volume</source>
        <translation>Ein eigenes Phantom: eine JSON-Beschreibung, oder ein Volumen der Emission und eins der Schwächung</translation>
    </message>
    <message>
        <source>Phantoms and volumes (*.json *.h5 *.nii *.nii.gz *.hv);;All files (*)</source>
        <translation>Phantome und Volumen (*.json *.h5 *.nii *.nii.gz *.hv);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Coincidences to be detected: 20 M, 2e6, 500 k</source>
        <translation>Koinzidenzen, die nachgewiesen werden: 20 M, 2e6, 500 k</translation>
    </message>
    <message>
        <source>First seed</source>
        <translation>Erster Startwert</translation>
    </message>
    <message>
        <source>Seed; the same events whatever the threads</source>
        <translation>Startwert; dieselben Ereignisse bei jeder Zahl von Threads</translation>
    </message>
    <message>
        <source>Counts</source>
        <translation>Zählwerte</translation>
    </message>
    <message>
        <source>How counts are made</source>
        <translation>Wie Zählwerte entstehen</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>Aktivität</translation>
    </message>
    <message>
        <source>Activity of the whole phantom in MBq: randoms grow as its square, and the scan lasts as long as its decays take</source>
        <translation>Aktivität des ganzen Phantoms in MBq: Zufällige wachsen mit ihrem Quadrat, und die Messung dauert so lange, wie ihre Zerfälle brauchen</translation>
    </message>
    <message>
        <source>A positive number of MBq</source>
        <translation>Eine positive Zahl von MBq</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Isotope</source>
        <translation>Isotop</translation>
    </message>
    <message>
        <source>Whose positrons fly, and how many a decay makes</source>
        <translation>Wessen Positronen fliegen, und wie viele ein Zerfall macht</translation>
    </message>
    <message>
        <source>Positrons fly before they annihilate</source>
        <translation>Positronen fliegen, bevor sie zerstrahlen</translation>
    </message>
    <message>
        <source>Positron range of the isotope in water: blurs what emits</source>
        <translation>Positronenreichweite des Isotops in Wasser: verwischt, was strahlt</translation>
    </message>
    <message>
        <source>Photons are not quite opposite</source>
        <translation>Photonen sind nicht ganz entgegengesetzt</translation>
    </message>
    <message>
        <source>Acollinearity of 0.5 degrees: blurs by 2 mm at the centre of a ring of 93 cm</source>
        <translation>Akollinearität von 0,5 Grad: verwischt in der Mitte eines Rings von 93 cm um 2 mm</translation>
    </message>
    <message>
        <source>Photons scatter in the phantom</source>
        <translation>Photonen streuen im Phantom</translation>
    </message>
    <message>
        <source>Compton scattering, any number of times; without it what interacts there is lost</source>
        <translation>Compton-Streuung, beliebig oft; ohne sie geht verloren, was dort wechselwirkt</translation>
    </message>
    <message>
        <source>Photons scatter from crystal to crystal</source>
        <translation>Photonen streuen von Kristall zu Kristall</translation>
    </message>
    <message>
        <source>Compton scattering and escape in crystals; without it the first interaction takes all</source>
        <translation>Compton-Streuung und Entkommen in Kristallen; ohne sie nimmt die erste Wechselwirkung alles</translation>
    </message>
    <message>
        <source>Detectors</source>
        <translation>Detektoren</translation>
    </message>
    <message>
        <source>Energies are measured</source>
        <translation>Energien werden gemessen</translation>
    </message>
    <message>
        <source>Energy resolution and window; without it every interaction counts</source>
        <translation>Energieauflösung und Fenster; ohne sie zählt jede Wechselwirkung</translation>
    </message>
    <message>
        <source>Places are measured</source>
        <translation>Orte werden gemessen</translation>
    </message>
    <message>
        <source>The place as the scanner finds it, with its blur; without it the crystal of the first interaction</source>
        <translation>Der Ort, wie der Scanner ihn findet, mit seiner Unschärfe; ohne sie der Kristall der ersten Wechselwirkung</translation>
    </message>
    <message>
        <source>Two decays may coincide: randoms</source>
        <translation>Zwei Zerfälle können zusammenfallen: Zufällige</translation>
    </message>
    <message>
        <source>Decays in time at the activity, their singles and all coincidences of these</source>
        <translation>Zerfälle in der Zeit bei dieser Aktivität, ihre Einzelereignisse und alle Koinzidenzen davon</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Detectors are dead after a photon</source>
        <translation>Detektoren sind nach einem Photon tot</translation>
    </message>
    <message>
        <source>Dead time of a block; only where decays are followed in time</source>
        <translation>Totzeit eines Blocks; nur wo Zerfälle in der Zeit verfolgt werden</translation>
    </message>
    <message>
        <source>Photons scatter in covers</source>
        <translation>Photonen streuen in Abdeckungen</translation>
    </message>
    <message>
        <source>In what lies between the patient and the crystals, where the scanner says so</source>
        <translation>In dem, was zwischen Patient und Kristallen liegt, wo der Scanner es angibt</translation>
    </message>
    <message>
        <source>End shields</source>
        <translation>Abschirmungen an den Enden</translation>
    </message>
    <message>
        <source>They keep out what comes from beyond the ends, where the scanner says so</source>
        <translation>Sie halten ab, was von jenseits der Enden kommt, wo der Scanner sie angibt</translation>
    </message>
    <message>
        <source>The phantom lies on the bed</source>
        <translation>Das Phantom liegt auf der Liege</translation>
    </message>
    <message>
        <source>The bed attenuates and scatters, where the scanner says so; not under phantoms of voxels</source>
        <translation>Die Liege schwächt und streut, wo der Scanner sie angibt; nicht unter Phantomen aus Voxeln</translation>
    </message>
    <message>
        <source>Decays of the crystals&apos; lutetium</source>
        <translation>Zerfälle des Lutetiums der Kristalle</translation>
    </message>
    <message>
        <source>Singles and coincidences of Lu-176 in LSO and LYSO</source>
        <translation>Singles und Koinzidenzen von Lu-176 in LSO und LYSO</translation>
    </message>
    <message>
        <source>Photons pile up</source>
        <translation>Photonen überlagern sich</translation>
    </message>
    <message>
        <source>Energies add up within a block&apos;s integration time, where the scanner has one</source>
        <translation>Energien addieren sich innerhalb der Integrationszeit eines Blocks, wo der Scanner eine hat</translation>
    </message>
    <message>
        <source>Multiples by the scanner&apos;s policy</source>
        <translation>Mehrfache nach der Regel des Scanners</translation>
    </message>
    <message>
        <source>Without it all pairs of a window are coincidences</source>
        <translation>Ohne sie sind alle Paare eines Fensters Koinzidenzen</translation>
    </message>
    <message>
        <source>Coincidences are limited</source>
        <translation>Koinzidenzen sind begrenzt</translation>
    </message>
    <message>
        <source>Coincidences that the system takes per second, where it has a limit</source>
        <translation>Koinzidenzen, die das System je Sekunde annimmt, wo es eine Grenze hat</translation>
    </message>
    <message>
        <source>Where photons are followed</source>
        <translation>Wo Photonen verfolgt werden</translation>
    </message>
    <message>
        <source>Blur</source>
        <translation>Unschärfe</translation>
    </message>
    <message>
        <source>FWHM of the detectors&apos; blur across lines of response; 0 switches it off</source>
        <translation>Halbwertsbreite der Unschärfe der Detektoren quer zu den Linien; 0 schaltet sie aus</translation>
    </message>
    <message>
        <source>the scanner&apos;s</source>
        <translation>die des Scanners</translation>
    </message>
    <message>
        <source>A width of 0 to 100 mm, or nothing for the scanner&apos;s</source>
        <translation>Eine Breite von 0 bis 100 mm, oder nichts für die des Scanners</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>Erwartet</translation>
    </message>
    <message>
        <source>Lines lose what the phantom attenuates</source>
        <translation>Linien verlieren, was das Phantom schwächt</translation>
    </message>
    <message>
        <source>attenuated by the phantom</source>
        <translation>vom Phantom geschwächt</translation>
    </message>
    <message>
        <source>Counts are those expected, without Poisson noise</source>
        <translation>Zählwerte wie erwartet, ohne Poisson-Rauschen</translation>
    </message>
    <message>
        <source>without noise</source>
        <translation>ohne Rauschen</translation>
    </message>
    <message>
        <source>What is expected of both at 100 MBq is counted, too, and corrected</source>
        <translation>Was von beiden bei 100 MBq zu erwarten ist, wird mitgezählt und korrigiert</translation>
    </message>
    <message>
        <source>with scatter and randoms</source>
        <translation>mit Streuung und Zufälligen</translation>
    </message>
    <message>
        <source>a relaxed step after every block of views; fastest to a good image</source>
        <translation>ein gedämpfter Schritt nach jedem Block von Ansichten; am schnellsten zu einem guten Bild</translation>
    </message>
    <message>
        <source>a full step after every subset of views</source>
        <translation>ein voller Schritt nach jeder Teilmenge der Ansichten</translation>
    </message>
    <message>
        <source>one step from all views at once; slow and steady</source>
        <translation>ein Schritt aus allen Ansichten zugleich; langsam und stetig</translation>
    </message>
    <message>
        <source>this computer&apos;s cores; every system and kernel</source>
        <translation>die Kerne dieses Rechners; jedes System, jeder Kern</translation>
    </message>
    <message>
        <source>Fourier transforms; any kernel, as a sum of invariant ones</source>
        <translation>Fourier-Transformationen; jeder Kern, als Summe invarianter</translation>
    </message>
    <message>
        <source>an NVIDIA device; every system and kernel</source>
        <translation>ein NVIDIA-Gerät; jedes System, jeder Kern</translation>
    </message>
    <message>
        <source>Fourier transforms on an NVIDIA device; any kernel, as a sum of invariant ones</source>
        <translation>Fourier-Transformationen auf einem NVIDIA-Gerät; jeder Kern, als Summe invarianter</translation>
    </message>
    <message>
        <source>exact lengths of the line in each voxel</source>
        <translation>genaue Länge der Linie in jedem Voxel</translation>
    </message>
    <message>
        <source>interpolation between voxels, plane by plane; smoother</source>
        <translation>Interpolation zwischen Voxeln, Ebene für Ebene; glatter</translation>
    </message>
    <message>
        <source>transform of the kernel as its table has it; equals the other engines</source>
        <translation>Transformation des Kerns, wie er in der Tabelle steht; gleich den anderen Engines</translation>
    </message>
    <message>
        <source>transform of the Gaussian itself, not cut off</source>
        <translation>Transformation der Gaußkurve selbst, nicht abgeschnitten</translation>
    </message>
    <message>
        <source>one for each image plane, as STIR does</source>
        <translation>einer je Bildebene, wie STIR</translation>
    </message>
    <message>
        <source>taps column by column; the fastest that is exact</source>
        <translation>Stützstellen Spalte für Spalte; die schnellste genaue</translation>
    </message>
    <message>
        <source>the same without tensor cores</source>
        <translation>dasselbe ohne Tensor-Kerne</translation>
    </message>
    <message>
        <source>a thread for each voxel</source>
        <translation>ein Thread je Voxel</translation>
    </message>
    <message>
        <source>a thread for sixteen voxels along z</source>
        <translation>ein Thread für sechzehn Voxel entlang z</translation>
    </message>
    <message>
        <source>sorted lists of pixels in shared memory</source>
        <translation>sortierte Pixellisten im geteilten Speicher</translation>
    </message>
    <message>
        <source>32 threads for each voxel, sums as a tree</source>
        <translation>32 Threads je Voxel, Summen als Baum</translation>
    </message>
    <message>
        <source>resampling along the line, then blur; approximate</source>
        <translation>Umtasten entlang der Linie, dann Unschärfe; genähert</translation>
    </message>
    <message>
        <source>products of Fourier transforms</source>
        <translation>Produkte von Fourier-Transformierten</translation>
    </message>
    <message>
        <source>each line by itself</source>
        <translation>jede Linie für sich</translation>
    </message>
    <message>
        <source>cuda where there is a device, else cpu, or fftw where it is much faster</source>
        <translation>cuda, wo ein Gerät da ist, sonst cpu oder fftw, wo das viel schneller ist</translation>
    </message>
    <message>
        <source>a stored system matrix, kernel by kernel</source>
        <translation>eine gespeicherte Systemmatrix, Kernel für Kernel</translation>
    </message>
    <message>
        <source>wide kernels on tensor cores without tables</source>
        <translation>breite Kernel auf Tensor-Kernen, ohne Tabellen</translation>
    </message>
    <message>
        <source>sums in floating point: the last digits differ from run to run</source>
        <translation>Summen in Gleitkommazahlen: die letzten Stellen unterscheiden sich von Lauf zu Lauf</translation>
    </message>
    <message>
        <source>a block of threads for each line</source>
        <translation>ein Block von Threads für jede Linie</translation>
    </message>
    <message>
        <source>a block of threads for four symmetric lines</source>
        <translation>ein Block von Threads für vier symmetrische Linien</translation>
    </message>
    <message>
        <source>four symmetric lines, their sums in shared memory</source>
        <translation>vier symmetrische Linien, ihre Summen im gemeinsamen Speicher</translation>
    </message>
    <message>
        <source>wrong by design: threads that add to one voxel at a time lose counts</source>
        <translation>absichtlich falsch: Threads, die gleichzeitig auf ein Voxel addieren, verlieren Zählungen</translation>
    </message>
    <message>
        <source>%1° tilt</source>
        <translation>%1° Neigung</translation>
    </message>
    <message>
        <source>Azimuth</source>
        <translation>Azimut</translation>
    </message>
    <message>
        <source>Azimuth of the view, degrees: the TOF axis turns from +x towards +y</source>
        <translation>Azimut der Ansicht in Grad: die TOF-Achse dreht sich von +x nach +y</translation>
    </message>
    <message>
        <source>Crystals along y from the head at +x to the head at -x: with the step along z, a class of lines of one direction</source>
        <translation>Kristalle entlang y vom Kopf bei +x zum Kopf bei -x: mit dem Schritt entlang z eine Klasse von Linien einer Richtung</translation>
    </message>
    <message>
        <source>Crystals along z from the head at +x to the head at -x</source>
        <translation>Kristalle entlang z vom Kopf bei +x zum Kopf bei -x</translation>
    </message>
    <message>
        <source>Lines of response are shown as counts; bin them into sinograms for the rest</source>
        <translation>Antwortlinien werden als Zählwerte gezeigt; für das Übrige in Sinogramme einsortieren</translation>
    </message>
    <message>
        <source>Lines of this direction, by their place on the heads</source>
        <translation>Linien dieser Richtung nach ihrem Ort auf den Köpfen</translation>
    </message>
    <message>
        <source>Lines of this tilt, those beyond the picture too</source>
        <translation>Linien dieser Neigung, auch die außerhalb des Bildes</translation>
    </message>
    <message>
        <source>Number of the class of tilts</source>
        <translation>Nummer der Neigungsklasse</translation>
    </message>
    <message>
        <source>Number of the direction: a class of lines with its signs</source>
        <translation>Nummer der Richtung: eine Klasse von Linien mit ihren Vorzeichen</translation>
    </message>
    <message>
        <source>Number of the segment, of one time bin after the other</source>
        <translation>Nummer des Segments, ein Zeitbin nach dem anderen</translation>
    </message>
    <message>
        <source>Number of the view in the data file</source>
        <translation>Nummer der Ansicht in der Datendatei</translation>
    </message>
    <message>
        <source>Segment</source>
        <translation>Segment</translation>
    </message>
    <message>
        <source>Segment of the sinograms: planes between rings of these differences</source>
        <translation>Segment der Sinogramme: Ebenen zwischen Ringen mit diesen Differenzen</translation>
    </message>
    <message>
        <source>Step y</source>
        <translation>Schritt y</translation>
    </message>
    <message>
        <source>Step z</source>
        <translation>Schritt z</translation>
    </message>
    <message>
        <source>Sum of the segment&apos;s sinograms in this time bin</source>
        <translation>Summe der Sinogramme des Segments in diesem Zeitbin</translation>
    </message>
    <message>
        <source>Sum of the view&apos;s histo-image</source>
        <translation>Summe des Histo-Bildes der Ansicht</translation>
    </message>
    <message>
        <source>Sum over the lines of this direction</source>
        <translation>Summe über die Linien dieser Richtung</translation>
    </message>
    <message>
        <source>Tilt</source>
        <translation>Neigung</translation>
    </message>
    <message>
        <source>Tilt of the lines out of the transverse plane, degrees; the last classes take what is steeper</source>
        <translation>Neigung der Linien aus der Transversalebene in Grad; die letzten Klassen nehmen, was steiler ist</translation>
    </message>
    <message>
        <source>Tilt of the view out of the transverse plane, degrees</source>
        <translation>Neigung der Ansicht aus der Transversalebene in Grad</translation>
    </message>
    <message>
        <source>Time bin</source>
        <translation>Zeitbin</translation>
    </message>
    <message>
        <source>Time bin; positive times are nearer the second crystal</source>
        <translation>Zeitbin; positive Zeiten liegen näher am zweiten Kristall</translation>
    </message>
    <message>
        <source>all times</source>
        <translation>alle Zeiten</translation>
    </message>
    <message>
        <source>angles, sinograms</source>
        <translation>Winkel, Sinogramme</translation>
    </message>
    <message>
        <source>azimuth, degrees</source>
        <translation>Azimut, Grad</translation>
    </message>
    <message>
        <source>bin %1</source>
        <translation>Bin %1</translation>
    </message>
    <message>
        <source>chi-square / bin</source>
        <translation>Chi-Quadrat / Bin</translation>
    </message>
    <message>
        <source>chi-square / line</source>
        <translation>Chi-Quadrat / Linie</translation>
    </message>
    <message>
        <source>chi-square / voxel</source>
        <translation>Chi-Quadrat / Voxel</translation>
    </message>
    <message>
        <source>in lines between two heads</source>
        <translation>in Linien zwischen zwei Köpfen</translation>
    </message>
    <message>
        <source>lines with counts</source>
        <translation>Linien mit Zählwerten</translation>
    </message>
    <message>
        <source>segment</source>
        <translation>Segment</translation>
    </message>
    <message>
        <source>step along y, crystals</source>
        <translation>Schritt entlang y, Kristalle</translation>
    </message>
    <message>
        <source>step z %1</source>
        <translation>Schritt z %1</translation>
    </message>
    <message>
        <source>steps along y, z</source>
        <translation>Schritte in y, z</translation>
    </message>
    <message>
        <source>tilt, degrees</source>
        <translation>Neigung, Grad</translation>
    </message>
    <message>
        <source>The data do not say which scanner they are of; bin the list again</source>
        <translation>Die Daten sagen nicht, von welchem Scanner sie sind; die Liste neu einsortieren</translation>
    </message>
    <message>
        <source>Binned without attenuation, or not apart; bin the list again</source>
        <translation>Ohne Schwächung einsortiert, oder nicht getrennt; die Liste neu einsortieren</translation>
    </message>
    <message>
        <source>The data have no factors; bin the list again</source>
        <translation>Die Daten haben keine Faktoren; die Liste neu einsortieren</translation>
    </message>
    <message>
        <source>The factors of the data hold a normalisation already</source>
        <translation>Die Faktoren der Daten enthalten schon eine Normalisierung</translation>
    </message>
    <message>
        <source>The factors of the data say no probabilities</source>
        <translation>Die Faktoren der Daten sind keine Wahrscheinlichkeiten</translation>
    </message>
    <message>
        <source>No list of events between the crystals of a scanner that it names</source>
        <translation>Keine Liste von Ereignissen zwischen Kristallen eines Scanners, den sie nennt</translation>
    </message>
    <message>
        <source>Of lists with times of flight and without rings alone</source>
        <translation>Nur bei Listen mit Flugzeiten und ohne Ringe</translation>
    </message>
    <message>
        <source>Of two panels randoms from delayeds are corrected alone</source>
        <translation>Bei zwei Platten werden nur Zufällige aus Verzögerten korrigiert</translation>
    </message>
    <message>
        <source>The scanner does not say how it detects</source>
        <translation>Der Scanner sagt nicht, wie er misst</translation>
    </message>
    <message>
        <source>The scanner states no coincidence window</source>
        <translation>Der Scanner nennt kein Koinzidenzfenster</translation>
    </message>
    <message>
        <source>with a prior: relaxed steps after every subset, to the one best image</source>
        <translation>mit Prior: gedämpfte Schritte nach jeder Teilmenge, bis zum einen besten Bild</translation>
    </message>
    <message>
        <source>with a prior: subsets put right by all data; soonest at the best image</source>
        <translation>mit Prior: Teilmengen, von allen Daten berichtigt; am schnellsten beim besten Bild</translation>
    </message>
    <message>
        <source>OSEM with the prior&apos;s gradient one step late; for any prior</source>
        <translation>OSEM mit dem Gradienten des Priors einen Schritt später; für jeden Prior</translation>
    </message>
    <message>
        <source>differences in relation to the values; what clinics use</source>
        <translation>Unterschiede im Verhältnis zu den Werten; was Kliniken verwenden</translation>
    </message>
    <message>
        <source>squares of differences; smooths edges as well</source>
        <translation>Quadrate der Unterschiede; glättet auch Kanten</translation>
    </message>
    <message>
        <source>squares of small differences, large ones as they are</source>
        <translation>kleine Unterschiede im Quadrat, große, wie sie sind</translation>
    </message>
    <message>
        <source>as huber, without a corner in its curvature</source>
        <translation>wie huber, ohne Ecke in der Krümmung</translation>
    </message>
    <message>
        <source>differences as they are, smooth below delta; flat areas with edges</source>
        <translation>Unterschiede, wie sie sind, unter delta glatt; flache Gebiete mit Kanten</translation>
    </message>
    <message>
        <source>draws to the median of neighbours; no objective, for osl alone</source>
        <translation>zieht zum Median der Nachbarn; keine Zielfunktion, nur für osl</translation>
    </message>
    <message>
        <source>Prior</source>
        <translation>Prior</translation>
    </message>
    <message>
        <source>With a prior: which differences between neighbours cost, and how much.</source>
        <translation>Mit Prior: welche Unterschiede zwischen Nachbarn etwas kosten, und wie viel.</translation>
    </message>
    <message>
        <source>Stop at change</source>
        <translation>Halt bei Änderung</translation>
    </message>
    <message>
        <source>The run ends once no voxel changes by more than this share of the largest value in an iteration; 0 makes all iterations.</source>
        <translation>Der Lauf endet, sobald sich in einer Iteration kein Voxel mehr um mehr als diesen Anteil des größten Wertes ändert; 0 macht alle Iterationen.</translation>
    </message>
    <message>
        <source>Anatomy</source>
        <translation>Anatomie</translation>
    </message>
    <message>
        <source>Image file (CT, MR, label map) on the lattice of the reconstruction, or several with a ; between: a prior smooths between voxels that are alike there; empty is none.</source>
        <translation>Bilddatei (CT, MR, Labelbild) auf dem Gitter der Rekonstruktion, oder mehrere mit ; dazwischen: Ein Prior glättet zwischen Voxeln, die dort ähnlich sind; leer ist keine.</translation>
    </message>
    <message>
        <source>Neighbours kept</source>
        <translation>Behaltene Nachbarn</translation>
    </message>
    <message>
        <source>Anatomy: of the 26 neighbours of a voxel so many that are most alike there count (Bowsher).</source>
        <translation>Anatomie: Von den 26 Nachbarn eines Voxels zählen so viele, die ihm dort am ähnlichsten sind (Bowsher).</translation>
    </message>
    <message>
        <source>with a prior: all data every step, slow and sure; what the others are judged by</source>
        <translation>mit Prior: alle Daten in jedem Schritt, langsam und sicher; woran die anderen gemessen werden</translation>
    </message>
    <message>
        <source>OSEM of coefficients that neighbours alike in an anatomy share; few counts</source>
        <translation>OSEM von Koeffizienten, die sich in einer Anatomie ähnliche Nachbarn teilen; wenige Zählungen</translation>
    </message>
    <message>
        <source>Strength β</source>
        <translation>Stärke β</translation>
    </message>
    <message>
        <source>With a prior: its weight beside the data, the same at any number of counts; 0 is none.</source>
        <translation>Mit Prior: sein Gewicht neben den Daten, dasselbe bei jeder Zahl von Zählungen; 0 ist keines.</translation>
    </message>
    <message>
        <source>Even resolution κ</source>
        <translation>Gleiche Auflösung κ</translation>
    </message>
    <message>
        <source>Makes the prior as strong in each voxel as its sensitivity, for a resolution that is alike everywhere.</source>
        <translation>Macht den Prior in jedem Voxel so stark wie dessen Empfindlichkeit, für eine überall gleiche Auflösung.</translation>
    </message>
    <message>
        <source>Edges γ</source>
        <translation>Kanten γ</translation>
    </message>
    <message>
        <source>Relative difference: how far large differences are let be; 0 not at all.</source>
        <translation>Relative Differenz: wie weit große Unterschiede bleiben dürfen; bei 0 gar nicht.</translation>
    </message>
    <message>
        <source>Smoothness ε</source>
        <translation>Glattheit ε</translation>
    </message>
    <message>
        <source>Relative difference: values that are small beside it have no relation; counted in the mean of the image.</source>
        <translation>Relative Differenz: Werte, die daneben klein sind, haben kein Verhältnis; gezählt im Mittel des Bildes.</translation>
    </message>
    <message>
        <source>Edges from δ</source>
        <translation>Kanten ab δ</translation>
    </message>
    <message>
        <source>Huber, log-cosh, total variation: the difference from which on it is an edge; counted in the mean of the image.</source>
        <translation>Huber, log-cosh, Totalvariation: der Unterschied, ab dem er eine Kante ist; gezählt im Mittel des Bildes.</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>BSREM, SVRG: the first iteration&apos;s size of step; 1 is that of OSEM.</source>
        <translation>BSREM, SVRG: Schrittweite der ersten Iteration; 1 ist die von OSEM.</translation>
    </message>
    <message>
        <source>Decay of steps</source>
        <translation>Abnahme der Schritte</translation>
    </message>
    <message>
        <source>BSREM, SVRG: the step in iteration k (from 0) is step / (1 + decay k).</source>
        <translation>BSREM, SVRG: Der Schritt in Iteration k (ab 0) ist Schritt / (1 + Abnahme k).</translation>
    </message>
    <message>
        <source>for few counts: values may be negative, so cold regions have no bias</source>
        <translation>für wenige Zählungen: Werte dürfen negativ sein, sodass kalte Bereiche keine Abweichung haben</translation>
    </message>
    <message>
        <source>for few counts: values down to a negative bound; cheaper than negml</source>
        <translation>für wenige Zählungen: Werte bis zu einer negativen Grenze; billiger als negml</translation>
    </message>
    <message>
        <source>Least variance ψ</source>
        <translation>Kleinste Varianz ψ</translation>
    </message>
    <message>
        <source>NEGML: counts of a datum below which it is weighed as if so many were expected; more takes more bias from cold regions and adds noise.</source>
        <translation>NEGML: Zählungen eines Messwerts, unter denen er gewichtet wird, als wären so viele erwartet; mehr nimmt kalten Bereichen mehr Abweichung und bringt Rauschen.</translation>
    </message>
    <message>
        <source>filtered back projection: one iteration, linear in the data</source>
        <translation>gefilterte Rückprojektion: eine Iteration, linear in den Daten</translation>
    </message>
    <message>
        <source>Filter's steps</source>
        <translation>Schritte des Filters</translation>
    </message>
    <message>
        <source>Analytic: as many steps of Landweber's method as the filter does at once; more is sharper and noisier.</source>
        <translation>Analytic: so viele Schritte des Landweber-Verfahrens, wie der Filter auf einmal macht; mehr ist schärfer und verrauschter.</translation>
    </message>
    <message>
        <source>Analytic: the FWHM of a Gaussian beside the filter; 0 is none.</source>
        <translation>Analytic: die Halbwertsbreite einer Gauß-Kurve neben dem Filter; 0 ist keine.</translation>
    </message>
    <message>
        <source>Lower bound</source>
        <translation>Untere Grenze</translation>
    </message>
    <message>
        <source>AML: no value is below minus so many times that of a uniform image; more takes more bias from cold regions and adds noise.</source>
        <translation>AML: Kein Wert liegt unter minus so viele Male dem eines gleichmäßigen Bildes; mehr nimmt kalten Bereichen mehr Abweichung und bringt Rauschen.</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>Zielfunktion</translation>
    </message>
    <message>
        <source>Tells log-likelihood and prior of every iterate, for another projection of all data; kept in the run file.</source>
        <translation>Nennt Log-Likelihood und Prior jeder Iterierten, für eine weitere Projektion aller Daten; bleibt in der Laufdatei.</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Where an image for each parameter and kinetics.json are written</source>
        <translation>Wohin ein Bild für jeden Parameter und kinetics.json geschrieben werden</translation>
    </message>
    <message>
        <source>Patlak, plasma</source>
        <translation>Patlak, Plasma</translation>
    </message>
    <message>
        <source>Patlak, reference region</source>
        <translation>Patlak, Referenzregion</translation>
    </message>
    <message>
        <source>Logan, plasma</source>
        <translation>Logan, Plasma</translation>
    </message>
    <message>
        <source>Logan, reference region</source>
        <translation>Logan, Referenzregion</translation>
    </message>
    <message>
        <source>SRTM, reference region</source>
        <translation>SRTM, Referenzregion</translation>
    </message>
    <message>
        <source>One tissue, plasma</source>
        <translation>Ein Gewebe, Plasma</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>What every voxel is fitted with</source>
        <translation>Was an jedes Voxel angepasst wird</translation>
    </message>
    <message>
        <source>Blood samples</source>
        <translation>Blutproben</translation>
    </message>
    <message>
        <source>A table of PET BIDS (.tsv), decay-corrected to time zero: time, plasma_radioactivity, whole_blood_radioactivity, metabolite_parent_fraction</source>
        <translation>Eine Tabelle von PET-BIDS (.tsv), zerfallskorrigiert auf die Zeit null: time, plasma_radioactivity, whole_blood_radioactivity, metabolite_parent_fraction</translation>
    </message>
    <message>
        <source>or plasma in</source>
        <translation>oder Plasma in</translation>
    </message>
    <message>
        <source>The ROI whose mean is taken for plasma, without blood samples</source>
        <translation>Die ROI, deren Mittelwert ohne Blutproben als Plasma gilt</translation>
    </message>
    <message>
        <source>Reference region</source>
        <translation>Referenzregion</translation>
    </message>
    <message>
        <source>The ROI without specific binding, or without trapping</source>
        <translation>Die ROI ohne spezifische Bindung oder ohne Einschluss</translation>
    </message>
    <message>
        <source>Line from</source>
        <translation>Gerade ab</translation>
    </message>
    <message>
        <source>When lines begin, as 20min: frames that start then or later are fitted</source>
        <translation>Ab wann Geraden gelten, etwa 20min: Zeitbilder, die dann oder später beginnen, werden angepasst</translation>
    </message>
    <message>
        <source>a time with its unit is needed, as 90s, 20min or 1.5h</source>
        <translation>gebraucht wird eine Zeit mit Einheit, etwa 90s, 20min oder 1.5h</translation>
    </message>
    <message>
        <source>Weights of frames</source>
        <translation>Gewichte der Zeitbilder</translation>
    </message>
    <message>
        <source>duration and decay</source>
        <translation>Dauer und Zerfall</translation>
    </message>
    <message>
        <source>duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>all the same</source>
        <translation>alle gleich</translation>
    </message>
    <message>
        <source>Weights of frames: duration and decay, duration alone, or all the same</source>
        <translation>Gewichte der Zeitbilder: Dauer und Zerfall, nur die Dauer, oder alle gleich</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>Schwelle</translation>
    </message>
    <message>
        <source>Voxels whose mean over time is below so many per cent of the largest stay 0</source>
        <translation>Voxel, deren zeitlicher Mittelwert unter so viel Prozent des größten liegt, bleiben 0</translation>
    </message>
    <message>
        <source>Slowest rate</source>
        <translation>Langsamste Rate</translation>
    </message>
    <message>
        <source>Basis functions: the slowest rate that is tried, 1/min</source>
        <translation>Basisfunktionen: die langsamste Rate, die probiert wird, 1/min</translation>
    </message>
    <message>
        <source>Fastest rate</source>
        <translation>Schnellste Rate</translation>
    </message>
    <message>
        <source>Basis functions: the fastest one, 1/min</source>
        <translation>Basisfunktionen: die schnellste, 1/min</translation>
    </message>
    <message>
        <source>Rate of the reference</source>
        <translation>Rate der Referenz</translation>
    </message>
    <message>
        <source>Logan with a reference: its rate of efflux k2, 1/min; 0 leaves its term out</source>
        <translation>Logan mit Referenz: deren Abflussrate k2, 1/min; 0 lässt das Glied weg</translation>
    </message>
    <message>
        <source>Dynamic images of replicates of the scan, joined by commas: their SD is written as NAME_sd</source>
        <translation>Dynamische Bilder von Wiederholungen der Aufnahme, durch Kommas getrennt: ihre SD wird als NAME_sd geschrieben</translation>
    </message>
    <message>
        <source>Decay-corrected</source>
        <translation>Zerfallskorrigiert</translation>
    </message>
    <message>
        <source>as the image says</source>
        <translation>wie das Bild es sagt</translation>
    </message>
    <message>
        <source>a time, as 20min</source>
        <translation>eine Zeit, wie 20min</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>Whether the image is decay-corrected, where its file does not say it</source>
        <translation>Ob das Bild zerfallskorrigiert ist, wo seine Datei es nicht sagt</translation>
    </message>
    <message>
        <source>Half life</source>
        <translation>Halbwertszeit</translation>
    </message>
    <message>
        <source>Half life of the nuclide, minutes; 0 takes that of the file</source>
        <translation>Halbwertszeit des Nuklids in Minuten; 0 nimmt die der Datei</translation>
    </message>
    <message>
        <source>Prior along time</source>
        <translation>Prior entlang der Zeit</translation>
    </message>
    <message>
        <source>Reconstruct all frames together, with a penalty on differences between consecutive ones (osem, mlem)</source>
        <translation>Alle Zeitfenster zusammen rekonstruieren, mit einer Strafe auf Unterschiede zwischen aufeinanderfolgenden (osem, mlem)</translation>
    </message>
    <message>
        <source>Its strength</source>
        <translation>Seine Stärke</translation>
    </message>
    <message>
        <source>It has no unit; 0 leaves frames alone</source>
        <translation>Sie hat keine Einheit; 0 lässt die Zeitfenster, wie sie sind</translation>
    </message>
    <message>
        <source>Gates of a frame</source>
        <translation>Gates eines Zeitfensters</translation>
    </message>
    <message>
        <source>are not compared</source>
        <translation>werden nicht verglichen</translation>
    </message>
    <message>
        <source>each with the next</source>
        <translation>jedes mit dem nächsten</translation>
    </message>
    <message>
        <source>and the last with the first</source>
        <translation>und das letzte mit dem ersten</translation>
    </message>
    <message>
        <source>Amplitudes are in a row, phases in a cycle. What moves between two gates is blurred where they are compared</source>
        <translation>Amplituden liegen in einer Reihe, Phasen im Kreis. Was sich zwischen zwei Gates bewegt, verwischt, wo sie verglichen werden</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>Zeitfenster</translation>
    </message>
    <message>
        <source>Numbers of frames, as 3-10 or 1,4-6</source>
        <translation>Nummern von Zeitfenstern, etwa 3-10 oder 1,4-6</translation>
    </message>
    <message>
        <source>They begin as</source>
        <translation>Sie beginnen als</translation>
    </message>
    <message>
        <source>a uniform image</source>
        <translation>gleichmäßiges Bild</translation>
    </message>
    <message>
        <source>the image of the sum</source>
        <translation>Bild der Summe</translation>
    </message>
    <message>
        <source>What the images of frames begin as: uniform, or the image of the sum, which needs fewer iterations and leans towards it</source>
        <translation>Womit die Bilder der Zeitfenster beginnen: gleichmäßig oder mit dem Bild der Summe, was weniger Iterationen braucht und zu ihr hinneigt</translation>
    </message>
    <message>
        <source>List</source>
        <translation>Liste</translation>
    </message>
    <message>
        <source>Header (.cdh) of a CASToR list that is still being written, to a file or a named pipe</source>
        <translation>Kopf (.cdh) einer Liste von CASToR, die noch geschrieben wird, in eine Datei oder eine benannte Pipe</translation>
    </message>
    <message>
        <source>Ends after</source>
        <translation>Endet nach</translation>
    </message>
    <message>
        <source>The list has ended when nothing came for so many seconds; 0 waits for the events that its header announces, or for Finish</source>
        <translation>Die Liste ist zu Ende, wenn so viele Sekunden nichts kam; 0 wartet auf die Ereignisse, die ihr Kopf ankündigt, oder auf „Jetzt beenden“</translation>
    </message>
    <message>
        <source>Image of the last</source>
        <translation>Bild der letzten</translation>
    </message>
    <message>
        <source>Images while the list grows are those of so many last seconds of the scan; 0 takes everything</source>
        <translation>Bilder, während die Liste wächst, sind die so vieler letzter Sekunden der Aufnahme; 0 nimmt alles</translation>
    </message>
    <message>
        <source>Data file</source>
        <translation>Datendatei</translation>
    </message>
    <message>
        <source>Gets the counts in the end; the run is made of it</source>
        <translation>Bekommt am Ende die Zählungen; aus ihr wird der Lauf gemacht</translation>
    </message>
    <message>
        <source>SUV 0 to 5</source>
        <translation>SUV 0 bis 5</translation>
    </message>
    <message>
        <source>mu 0 to 0.15 per cm</source>
        <translation>mu 0 bis 0.15 pro cm</translation>
    </message>
    <message>
        <source>Display range of standardised uptake values</source>
        <translation>Anzeigebereich für SUV</translation>
    </message>
    <message>
        <source>Display range of attenuation at 511 keV: water is 0.096</source>
        <translation>Anzeigebereich der Schwächung bei 511 keV: Wasser hat 0.096</translation>
    </message>
    <message>
        <source>CT lung</source>
        <translation>CT Lunge</translation>
    </message>
    <message>
        <source>CT soft tissue</source>
        <translation>CT Weichteile</translation>
    </message>
    <message>
        <source>CT bone</source>
        <translation>CT Knochen</translation>
    </message>
    <message>
        <source>CT brain</source>
        <translation>CT Gehirn</translation>
    </message>
    <message>
        <source>Display range of CT from -1350 to 150 HU</source>
        <translation>Anzeigebereich von CT von -1350 bis 150 HU</translation>
    </message>
    <message>
        <source>Display range of CT from -160 to 240 HU</source>
        <translation>Anzeigebereich von CT von -160 bis 240 HU</translation>
    </message>
    <message>
        <source>Display range of CT from -500 to 1300 HU</source>
        <translation>Anzeigebereich von CT von -500 bis 1300 HU</translation>
    </message>
    <message>
        <source>Display range of CT from 0 to 80 HU</source>
        <translation>Anzeigebereich von CT von 0 bis 80 HU</translation>
    </message>
    <message>
        <source>CT liver</source>
        <translation>CT Leber</translation>
    </message>
    <message>
        <source>CT vessels</source>
        <translation>CT Gefäße</translation>
    </message>
    <message>
        <source>Display range of CT from -15 to 135 HU</source>
        <translation>Anzeigebereich von CT von -15 bis 135 HU</translation>
    </message>
    <message>
        <source>Display range of CT from 0 to 600 HU</source>
        <translation>Anzeigebereich von CT von 0 bis 600 HU</translation>
    </message>
    <message>
        <source>41 % of the maximum</source>
        <translation>41 % des Maximums</translation>
    </message>
    <message>
        <source>50 % of the maximum</source>
        <translation>50 % des Maximums</translation>
    </message>
    <message>
        <source>SUV 2.5</source>
        <translation>SUV 2,5</translation>
    </message>
    <message>
        <source>SUV 4</source>
        <translation>SUV 4</translation>
    </message>
    <message>
        <source>Connected voxels around the cursor of at least 41 % of the largest value there</source>
        <translation>Zusammenhängende Voxel um den Cursor mit mindestens 41 % des größten Wertes dort</translation>
    </message>
    <message>
        <source>Connected voxels around the cursor of at least 50 % of the largest value there</source>
        <translation>Zusammenhängende Voxel um den Cursor mit mindestens 50 % des größten Wertes dort</translation>
    </message>
    <message>
        <source>Connected voxels around the cursor with an SUV of at least 2.5</source>
        <translation>Zusammenhängende Voxel um den Cursor mit einem SUV von mindestens 2,5</translation>
    </message>
    <message>
        <source>Connected voxels around the cursor with an SUV of at least 4</source>
        <translation>Zusammenhängende Voxel um den Cursor mit einem SUV von mindestens 4</translation>
    </message>
    <message>
        <source>Connected voxels around the cursor above 1.5 times the mean and 2 SD of the ROI &apos;liver&apos;</source>
        <translation>Zusammenhängende Voxel um den Cursor über dem 1,5-Fachen des Mittelwerts und 2 SD der ROI „liver“</translation>
    </message>
    <message>
        <source>Observer</source>
        <translation>Beobachter</translation>
    </message>
    <message>
        <source>at the sphere&apos;s place</source>
        <translation>am Ort der Kugel</translation>
    </message>
    <message>
        <source>searches the place</source>
        <translation>sucht den Ort</translation>
    </message>
    <message>
        <source>Channelized Hotelling observer, which knows the place, or searches it (LROC)</source>
        <translation>Hotelling-Beobachter mit Kanälen, der den Ort kennt oder ihn sucht (LROC)</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>Kanäle</translation>
    </message>
    <message>
        <source>differences of Gaussians</source>
        <translation>Differenzen von Gauß-Funktionen</translation>
    </message>
    <message>
        <source>What the observer sees of an image</source>
        <translation>Was der Beobachter von einem Bild sieht</translation>
    </message>
    <message>
        <source>Number of channels</source>
        <translation>Zahl der Kanäle</translation>
    </message>
    <message>
        <source>Laguerre-Gauss has so many channels</source>
        <translation>So viele Kanäle hat Laguerre-Gauß</translation>
    </message>
    <message>
        <source>Width of channels</source>
        <translation>Breite der Kanäle</translation>
    </message>
    <message>
        <source>Width of Laguerre-Gauss channels in diameters of the sphere</source>
        <translation>Breite der Laguerre-Gauß-Kanäle in Durchmessern der Kugel</translation>
    </message>
    <message>
        <source>Internal noise</source>
        <translation>Inneres Rauschen</translation>
    </message>
    <message>
        <source>Variance of internal noise over that of each channel</source>
        <translation>Varianz des inneren Rauschens über der jedes Kanals</translation>
    </message>
    <message>
        <source>Searched radius</source>
        <translation>Durchsuchter Radius</translation>
    </message>
    <message>
        <source>Radius of the region in which the place is searched</source>
        <translation>Radius des Gebiets, in dem der Ort gesucht wird</translation>
    </message>
</context>
<context>
    <name>tof::ui::CompareModel</name>
    <message>
        <source>Two runs or volumes with images are needed</source>
        <translation>Zwei Läufe oder Volumen mit Bildern werden gebraucht</translation>
    </message>
</context>
<context>
    <name>tof::ui::ComparePage</name>
    <message>
        <source>Transverse</source>
        <translation>Transversal</translation>
    </message>
    <message>
        <source>Coronal</source>
        <translation>Koronal</translation>
    </message>
    <message>
        <source>Sagittal</source>
        <translation>Sagittal</translation>
    </message>
    <message>
        <source>difference on its way</source>
        <translation>Differenz kommt gleich</translation>
    </message>
    <message>
        <source>no image yet</source>
        <translation>noch kein Bild</translation>
    </message>
    <message>
        <source>Limit of the difference</source>
        <translation>Grenze der Differenz</translation>
    </message>
    <message>
        <source>Difference with the strongest colour, in the unit of the images</source>
        <translation>Differenz mit der kräftigsten Farbe, in der Einheit der Bilder</translation>
    </message>
    <message>
        <source>Profiles</source>
        <translation>Profile</translation>
    </message>
    <message>
        <source>at (%1, %2, %3) mm</source>
        <translation>bei (%1, %2, %3) mm</translation>
    </message>
    <message>
        <source>RMS</source>
        <translation>RMS</translation>
    </message>
    <message>
        <source>relative RMS</source>
        <translation>relativer RMS</translation>
    </message>
    <message>
        <source>mean difference</source>
        <translation>mittlere Differenz</translation>
    </message>
    <message>
        <source>bit-identical</source>
        <translation>bitgleich</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>Open the Compare page first</source>
        <translation>Zuerst die Seite „Vergleich“ öffnen</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Swipe</source>
        <translation>Wischen</translation>
    </message>
    <message>
        <source>Checkerboard</source>
        <translation>Schachbrett</translation>
    </message>
    <message>
        <source>The difference changes its sign</source>
        <translation>Die Differenz wechselt das Vorzeichen</translation>
    </message>
    <message>
        <source>Auto limit</source>
        <translation>Grenze automatisch</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>Limit of the difference at the 99.9th percentile of its size</source>
        <translation>Grenze der Differenz beim Perzentil 99.9 ihres Betrags</translation>
    </message>
    <message>
        <source>Copy difference figures</source>
        <translation>Zahlen der Differenz kopieren</translation>
    </message>
    <message>
        <source>Puts the numbers under the comparison on the clipboard</source>
        <translation>Legt die Zahlen unter dem Vergleich in die Zwischenablage</translation>
    </message>
    <message>
        <source>% of max %1</source>
        <translation>% von max %1</translation>
    </message>
    <message>
        <source>Colour map of both images</source>
        <translation>Farbtafel beider Bilder</translation>
    </message>
    <message>
        <source>Colour map; U inverts it</source>
        <translation>Farbtafel; U kehrt sie um</translation>
    </message>
    <message>
        <source>%1, in the unit of the image</source>
        <translation>%1, in der Einheit des Bildes</translation>
    </message>
    <message>
        <source>Lower end of the colour map</source>
        <translation>Unteres Ende der Farbtafel</translation>
    </message>
    <message>
        <source>Upper end of the colour map</source>
        <translation>Oberes Ende der Farbtafel</translation>
    </message>
    <message>
        <source>%1: a run or a volume</source>
        <translation>%1: ein Lauf oder ein Volumen</translation>
    </message>
    <message>
        <source>First image</source>
        <translation>Erstes Bild</translation>
    </message>
    <message>
        <source>Second image</source>
        <translation>Zweites Bild</translation>
    </message>
    <message>
        <source>Iterate of that run that is shown, on every page</source>
        <translation>Iteration dieses Laufs, die auf jeder Seite gezeigt wird</translation>
    </message>
    <message>
        <source>Iterate of the first image</source>
        <translation>Iteration des ersten Bildes</translation>
    </message>
    <message>
        <source>Iterate of the second image</source>
        <translation>Iteration des zweiten Bildes</translation>
    </message>
    <message>
        <source>Iterates compared</source>
        <translation>Verglichene Iterationen</translation>
    </message>
    <message>
        <source>Which iterate of the second run is compared with that of the first</source>
        <translation>Welche Iteration des zweiten Laufs mit der des ersten verglichen wird</translation>
    </message>
    <message>
        <source>as chosen</source>
        <translation>wie gewählt</translation>
    </message>
    <message>
        <source>same iterate</source>
        <translation>gleiche Iteration</translation>
    </message>
    <message>
        <source>matched noise</source>
        <translation>gleiches Rauschen</translation>
    </message>
    <message>
        <source>iterate %1</source>
        <translation>Iteration %1</translation>
    </message>
    <message>
        <source>largest |%1|</source>
        <translation>größtes |%1|</translation>
    </message>
    <message>
        <source>FWHM %1</source>
        <translation>FWHM %1</translation>
    </message>
    <message>
        <source>Of the peak at the cursor, along the profile below</source>
        <translation>Der Spitze am Cursor, entlang des Profils darunter</translation>
    </message>
    <message>
        <source>CRC %1</source>
        <translation>CRC %1</translation>
    </message>
    <message>
        <source>Mean over spheres</source>
        <translation>Mittel über Kugeln</translation>
    </message>
    <message>
        <source>noise %1</source>
        <translation>Rauschen %1</translation>
    </message>
    <message>
        <source>SD / mean of the uniform ROI</source>
        <translation>SD / Mittel der gleichförmigen ROI</translation>
    </message>
    <message>
        <source>Both images and their difference beside each other</source>
        <translation>Beide Bilder und ihre Differenz nebeneinander</translation>
    </message>
    <message>
        <source>The first image left and the second right of a divider that can be dragged</source>
        <translation>Das erste Bild links und das zweite rechts einer Trennlinie, die sich ziehen lässt</translation>
    </message>
    <message>
        <source>Both images in alternating squares</source>
        <translation>Beide Bilder in abwechselnden Quadraten</translation>
    </message>
    <message>
        <source>Swap the two images</source>
        <translation>Beide Bilder tauschen</translation>
    </message>
    <message>
        <source>Difference in per cent</source>
        <translation>Differenz in Prozent</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>Limit, colour bar and figures of the difference in per cent of the second image&apos;s largest value</source>
        <translation>Grenze, Farbskala und Zahlen der Differenz in Prozent des größten Werts des zweiten Bildes</translation>
    </message>
    <message>
        <source>Display range</source>
        <translation>Anzeigebereich</translation>
    </message>
    <message>
        <source>Colour map</source>
        <translation>Farbtabelle</translation>
    </message>
</context>
<context>
    <name>tof::ui::ContextMenus</name>
    <message>
        <source>Role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>Copy %1</source>
        <translation>%1 kopieren</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Draw ROI</source>
        <translation>ROI zeichnen</translation>
    </message>
    <message>
        <source>Use its settings for the next run</source>
        <translation>Ihre Einstellungen für den nächsten Lauf nehmen</translation>
    </message>
</context>
<context>
    <name>tof::ui::CurveChart</name>
    <message>
        <source>true activity</source>
        <translation>wahre Aktivität</translation>
    </message>
    <message>
        <source>CRC against noise</source>
        <translation>CRC gegen Rauschen</translation>
    </message>
    <message>
        <source>noise, % (SD / mean, central circle)</source>
        <translation>Rauschen, % (SD / Mittel, zentraler Kreis)</translation>
    </message>
    <message>
        <source>CRC, % (mean of spheres, bars: SD)</source>
        <translation>CRC, % (Mittel der Kugeln, Balken: SD)</translation>
    </message>
    <message>
        <source>iterate</source>
        <translation>Iteration</translation>
    </message>
    <message>
        <source>noise, % (SD / mean, first uniform ROI)</source>
        <translation>Rauschen, % (SD / Mittel, erste gleichförmige ROI)</translation>
    </message>
    <message>
        <source>objective, less than the largest by</source>
        <translation>Zielfunktion, unter der größten um</translation>
    </message>
    <message>
        <source>objective = log-likelihood - beta R, of runs with the setting &apos;objective&apos;; runs of other data or another prior cannot be compared</source>
        <translation>Zielfunktion = Log-Likelihood - beta R, von Läufen mit der Einstellung „objective“; Läufe mit anderen Daten oder einem anderen Prior sind nicht vergleichbar</translation>
    </message>
    <message>
        <source>NSR, % (mean SD / mean, uniform ROIs)</source>
        <translation>NSR, % (Mittel von SD / Mittel, gleichförmige ROIs)</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>no ROI</source>
        <translation>keine ROI</translation>
    </message>
    <message>
        <source>CRC = ((p_s - p_b)/p_b)/(true ratio - 1), mean and SD (n - 1) over spheres; noise = SD (n - 1)/mean in the first uniform ROI; NSR: mean of SD/mean over uniform ROIs</source>
        <translation>CRC = ((p_s - p_b)/p_b)/(wahres Verhältnis - 1), Mittel und SD (n - 1) über Kugeln; Rauschen = SD (n - 1)/Mittel in der ersten gleichförmigen ROI; NSR: Mittel von SD/Mittel über gleichförmige ROIs</translation>
    </message>
    <message>
        <source>select an ROI in the table or in a picture</source>
        <translation>eine ROI in der Tabelle oder in einem Bild auswählen</translation>
    </message>
    <message>
        <source>a point appears with every iteration</source>
        <translation>mit jeder Iteration kommt ein Punkt dazu</translation>
    </message>
    <message>
        <source>CRC and noise need ROIs: none are known for this phantom</source>
        <translation>CRC und Rauschen brauchen ROIs: für dieses Phantom sind keine bekannt</translation>
    </message>
    <message>
        <source>CRC %1 ± %2 %, noise %3 %</source>
        <translation>CRC %1 ± %2 %, Rauschen %3 %</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 %2, iterate %3: %4; click shows it</source>
        <translation>%1 %2, Iteration %3: %4; ein Klick zeigt sie</translation>
    </message>
    <message>
        <source>%1: cannot be written; check the folder and its permissions</source>
        <translation>%1: kann nicht geschrieben werden; Ordner und Rechte prüfen</translation>
    </message>
    <message>
        <source>%1: a chart is written as .csv, .png, .svg or .pdf</source>
        <translation>%1: Kurven werden als .csv, .png, .svg oder .pdf geschrieben</translation>
    </message>
    <message numerus="yes">
        <source>95 of 100 replicates: %1 to %2; %n replicates</source>
        <translation>
            <numerusform>95 von 100 Wiederholungen: %1 bis %2; %n Wiederholung</numerusform>
            <numerusform>95 von 100 Wiederholungen: %1 bis %2; %n Wiederholungen</numerusform>
        </translation>
    </message>
    <message>
        <source>β %1</source>
        <translation>β %1</translation>
    </message>
    <message>
        <source>noise, % (mean of the replicates)</source>
        <translation>Rauschen, % (Mittel der Wiederholungen)</translation>
    </message>
    <message>
        <source>AUC of %1</source>
        <translation>AUC von %1</translation>
    </message>
    <message>
        <source>AUC: how often an image with the sphere is rated above one without it by a model observer that learned from the others; bands: 95 %; runs of equal settings and other data are replicates, patches at uniform ROIs stand for images without the sphere</source>
        <translation>AUC: wie oft ein Modellbeobachter, der von den anderen gelernt hat, ein Bild mit der Kugel höher bewertet als eines ohne sie; Bänder: 95 %; Läufe mit gleichen Einstellungen und anderen Daten sind Wiederholungen, Ausschnitte an gleichmäßigen ROIs stehen für Bilder ohne die Kugel</translation>
    </message>
    <message>
        <source>interval of 95 %: %1 to %2</source>
        <translation>Intervall von 95 %: %1 bis %2</translation>
    </message>
    <message>
        <source>images are rated</source>
        <translation>Bilder werden bewertet</translation>
    </message>
</context>
<context>
    <name>tof::ui::DataModel</name>
    <message>
        <source>Open a study, data or list-mode first</source>
        <translation>Zuerst eine Studie, Daten oder List-Mode öffnen</translation>
    </message>
    <message>
        <source>These data have no multiplicative corrections: 1 everywhere</source>
        <translation>Diese Daten haben keine multiplikativen Korrekturen: überall 1</translation>
    </message>
    <message>
        <source>These data do not keep attenuation apart</source>
        <translation>Diese Daten führen die Schwächung nicht getrennt</translation>
    </message>
    <message>
        <source>These data have no additive term: 0 everywhere</source>
        <translation>Diese Daten haben keinen additiven Term: überall 0</translation>
    </message>
    <message>
        <source>What is expected is projected from an image: run a reconstruction first (F5)</source>
        <translation>Die Erwartung wird aus einem Bild projiziert: zuerst rekonstruieren (F5)</translation>
    </message>
    <message>
        <source>The image on screen is on another lattice than the data</source>
        <translation>Das Bild auf dem Schirm liegt auf einem anderen Gitter als die Daten</translation>
    </message>
</context>
<context>
    <name>tof::ui::DataPage</name>
    <message>
        <source>Transverse</source>
        <translation>Transversal</translation>
    </message>
    <message>
        <source>Coronal</source>
        <translation>Koronal</translation>
    </message>
    <message>
        <source>Sagittal</source>
        <translation>Sagittal</translation>
    </message>
    <message>
        <source>%1 picture of the view</source>
        <translation>%1, Bild der Ansicht</translation>
    </message>
    <message>
        <source>the data have no view of this azimuth and tilt</source>
        <translation>die Daten haben keine Ansicht mit diesem Azimut und dieser Neigung</translation>
    </message>
    <message>
        <source>picture on its way</source>
        <translation>Bild kommt gleich</translation>
    </message>
    <message>
        <source>%1, in the unit beside the colour bar</source>
        <translation>%1, in der Einheit an der Farbskala</translation>
    </message>
    <message>
        <source>Lower end of the colour map</source>
        <translation>Unteres Ende der Farbtabelle</translation>
    </message>
    <message>
        <source>Upper end of the colour map</source>
        <translation>Oberes Ende der Farbtabelle</translation>
    </message>
    <message>
        <source>limit ±</source>
        <translation>Grenze ±</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>voxel %1, %2, %3</source>
        <translation>Voxel %1, %2, %3</translation>
    </message>
    <message>
        <source>Value under the cursor</source>
        <translation>Wert unter dem Cursor</translation>
    </message>
    <message>
        <source>radial %1 mm, %2, plane %3</source>
        <translation>radial %1 mm, %2, Ebene %3</translation>
    </message>
    <message>
        <source>view</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>counts</source>
        <translation>Zählwerte</translation>
    </message>
    <message>
        <source>events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>expected</source>
        <translation>erwartet</translation>
    </message>
    <message>
        <source>Sum of mult x forward(att x image) + add for the image on screen</source>
        <translation>Summe von mult x Vorwärts(att x Bild) + add für das Bild auf dem Schirm</translation>
    </message>
    <message>
        <source>counts − expected</source>
        <translation>gezählt − erwartet</translation>
    </message>
    <message>
        <source>Of the sums</source>
        <translation>Der Summen</translation>
    </message>
    <message>
        <source>Mean of (y - e)^2/e where e exceeds 1 % of its mean: 1 when only Poisson noise is left</source>
        <translation>Mittel von (y - e)^2/e, wo e mehr als 1 % seines Mittels ist: 1, wenn nur Poisson-Rauschen bleibt</translation>
    </message>
    <message>
        <source>Open the Data page first</source>
        <translation>Zuerst die Seite „Daten“ öffnen</translation>
    </message>
    <message>
        <source>Counts</source>
        <translation>Zählwerte</translation>
    </message>
    <message>
        <source>Events of this view by most likely point</source>
        <translation>Ereignisse dieser Ansicht am wahrscheinlichsten Punkt</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>Erwartet</translation>
    </message>
    <message>
        <source>mult x forward(att x image on screen) + add, with the run&apos;s kernel</source>
        <translation>mult x Vorwärts(att x Bild auf dem Schirm) + add, mit dem Kern des Laufs</translation>
    </message>
    <message>
        <source>Residual</source>
        <translation>Residuum</translation>
    </message>
    <message>
        <source>Counts minus expected</source>
        <translation>Gezählt minus erwartet</translation>
    </message>
    <message>
        <source>Weighted</source>
        <translation>Gewichtet</translation>
    </message>
    <message>
        <source>Residual in units of its Poisson SD, the root of what is expected</source>
        <translation>Residuum in Einheiten seiner Poisson-SD, der Wurzel des Erwarteten</translation>
    </message>
    <message>
        <source>Mult</source>
        <translation>Mult</translation>
    </message>
    <message>
        <source>Att</source>
        <translation>Att</translation>
    </message>
    <message>
        <source>Share of pairs that survive on their way through the object</source>
        <translation>Anteil der Paare, die den Weg durch das Objekt überstehen</translation>
    </message>
    <message>
        <source>Probability that an emission that flies in this view&apos;s cell is recorded</source>
        <translation>Wahrscheinlichkeit, dass eine Emission in der Zelle dieser Ansicht aufgenommen wird</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Add</translation>
    </message>
    <message>
        <source>Scatter and randoms expected in this view</source>
        <translation>Gestreute und zufällige Koinzidenzen, die in dieser Ansicht erwartet werden</translation>
    </message>
    <message>
        <source>Auto range of the data</source>
        <translation>Wertebereich der Daten automatisch</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>Display range from the view on screen; symmetric about 0 for differences</source>
        <translation>Wertebereich aus der Ansicht auf dem Schirm; für Differenzen symmetrisch um 0</translation>
    </message>
    <message>
        <source>Next azimuth</source>
        <translation>Nächster Azimut</translation>
    </message>
    <message>
        <source>Previous azimuth</source>
        <translation>Voriger Azimut</translation>
    </message>
    <message>
        <source>Next tilt</source>
        <translation>Nächste Neigung</translation>
    </message>
    <message>
        <source>Previous tilt</source>
        <translation>Vorige Neigung</translation>
    </message>
    <message>
        <source>The next view of the data; azimuths start over at 180 degrees</source>
        <translation>Die nächste Ansicht der Daten; Azimute beginnen bei 180 Grad von vorn</translation>
    </message>
    <message>
        <source>Export counts by view</source>
        <translation>Zählwerte nach Ansicht exportieren</translation>
    </message>
    <message>
        <source>Writes azimuth, tilt and counts of every view to a CSV file</source>
        <translation>Schreibt Azimut, Neigung und Zählwerte jeder Ansicht in eine CSV-Datei</translation>
    </message>
</context>
<context>
    <name>tof::ui::DataWords</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Sinogram: azimuth over radial</source>
        <translation>Sinogramm: Azimut über radial</translation>
    </message>
    <message>
        <source>Planes over radial</source>
        <translation>Ebenen über radial</translation>
    </message>
    <message>
        <source>Planes over azimuth</source>
        <translation>Ebenen über Azimut</translation>
    </message>
    <message>
        <source>ring diff. %1, %2</source>
        <translation>Ringdiff. %1, %2</translation>
    </message>
    <message>
        <source>ring diff. %1..%2, %3</source>
        <translation>Ringdiff. %1..%2, %3</translation>
    </message>
    <message>
        <source>no times</source>
        <translation>keine Zeiten</translation>
    </message>
    <message>
        <source>%1 ps, %2</source>
        <translation>%1 ps, %2</translation>
    </message>
    <message numerus="yes">
        <source>%n crystals, %1</source>
        <translation>
            <numerusform>%n Kristall, %1</numerusform>
            <numerusform>%n Kristalle, %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n crystals</source>
        <translation>
            <numerusform>%n Kristall</numerusform>
            <numerusform>%n Kristalle</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tof::ui::Desk</name>
    <message>
        <source>%1 studies were made, of the seeds %2 to %3; the first one can be opened</source>
        <translation>%1 Studien wurden gemacht, mit den Startwerten %2 bis %3; die erste kann geöffnet werden</translation>
    </message>
    <message>
        <source>%1 is simulated</source>
        <translation>%1 ist simuliert</translation>
    </message>
    <message>
        <source>%1. Until then nothing that is done here is kept in the study: runs are kept beside it</source>
        <translation>%1. Bis dahin bleibt nichts, was hier getan wird, in der Studie: Läufe bleiben daneben</translation>
    </message>
    <message>
        <source>Runs of data without a study would not survive a crash: %1</source>
        <translation>Läufe von Daten ohne Studie würden einen Absturz nicht überleben: %1</translation>
    </message>
    <message>
        <source>The program ended while deleting could still be undone; back in the list: %1</source>
        <translation>Das Programm endete, als ein Löschen noch rückgängig gemacht werden konnte; wieder in der Liste: %1</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>%1 wird gelesen</translation>
    </message>
    <message>
        <source>The curves do not follow the ROIs: %1</source>
        <translation>Die Kurven folgen den ROIs nicht: %1</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>%1 wird geöffnet</translation>
    </message>
    <message>
        <source>Reading the data of %1</source>
        <translation>Die Daten von %1 werden gelesen</translation>
    </message>
    <message>
        <source>Run %1 was interrupted after iteration %2 of %3: Run &gt; Continue goes on from there</source>
        <translation>Lauf %1 wurde nach Iteration %2 von %3 unterbrochen: „Lauf &gt; Fortsetzen“ setzt ihn dort fort</translation>
    </message>
    <message>
        <source>No ROIs were placed: %1</source>
        <translation>Keine ROIs wurden gesetzt: %1</translation>
    </message>
    <message>
        <source>%1: is not there any more</source>
        <translation>%1: ist nicht mehr da</translation>
    </message>
    <message>
        <source>%1: cancelled, nothing of it is kept</source>
        <translation>%1: abgebrochen, nichts davon bleibt</translation>
    </message>
    <message>
        <source>Simulating %1 events</source>
        <translation>%1 Ereignisse werden simuliert</translation>
    </message>
    <message>
        <source>%1, seed %2 of %3</source>
        <translation>%1, Startwert %2 von %3</translation>
    </message>
    <message>
        <source>%1 studies were made, of the seeds %2 to %3; the first one is open</source>
        <translation>%1 Studien sind fertig, mit den Startwerten %2 bis %3; die erste ist offen</translation>
    </message>
    <message>
        <source>, %1 frames</source>
        <translation>, %1 Zeitbilder</translation>
    </message>
    <message>
        <source>%1: holds several series or frames; choose one (--series): %2</source>
        <translation>%1: enthält mehrere Serien oder Zeitbilder; bitte eine wählen (--series): %2</translation>
    </message>
    <message>
        <source>%1, frame %2</source>
        <translation>%1, Zeitbild %2</translation>
    </message>
</context>
<context>
    <name>tof::ui::Dial</name>
    <message>
        <source>%1, degrees: drag, wheel or arrow keys turn it</source>
        <translation>%1, Grad: Ziehen, Rad oder Pfeiltasten drehen</translation>
    </message>
    <message>
        <source>%1 degrees</source>
        <translation>%1 Grad</translation>
    </message>
</context>
<context>
    <name>tof::ui::ExportCommands</name>
    <message>
        <source>Copy pictures</source>
        <translation>Bilder kopieren</translation>
    </message>
    <message>
        <source>Puts the pictures, as seen, on the clipboard</source>
        <translation>Legt die Bilder, wie sie zu sehen sind, in die Zwischenablage</translation>
    </message>
    <message>
        <source>Save pictures</source>
        <translation>Bilder speichern</translation>
    </message>
    <message>
        <source>Writes the pictures, as seen, to a PNG or PDF file, at any resolution</source>
        <translation>Schreibt die Bilder, wie sie zu sehen sind, in eine PNG- oder PDF-Datei, in jeder Auflösung</translation>
    </message>
    <message>
        <source>Export curves</source>
        <translation>Kurven exportieren</translation>
    </message>
    <message>
        <source>Writes the points of all runs (CSV, TSV) or the chart (PNG, SVG, PDF), with the definitions</source>
        <translation>Schreibt die Punkte aller Läufe (CSV, TSV) oder das Diagramm (PNG, SVG, PDF) mit den Definitionen</translation>
    </message>
    <message>
        <source>There are no points yet</source>
        <translation>Es gibt noch keine Punkte</translation>
    </message>
    <message>
        <source>Copy ROI table</source>
        <translation>ROI-Tabelle kopieren</translation>
    </message>
    <message>
        <source>Puts the table on the clipboard, tab separated, with decimal points</source>
        <translation>Legt die Tabelle in die Zwischenablage, mit Tabulatoren und Dezimalpunkten</translation>
    </message>
    <message>
        <source>There are no ROIs</source>
        <translation>Es gibt keine ROIs</translation>
    </message>
    <message>
        <source>Export profile</source>
        <translation>Profil exportieren</translation>
    </message>
    <message>
        <source>Writes the profile of all runs to a CSV file</source>
        <translation>Schreibt das Profil aller Läufe in eine CSV-Datei</translation>
    </message>
    <message>
        <source>PNG (*.png);;PDF (*.pdf)</source>
        <translation>PNG (*.png);;PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Pixels for each one on the screen</source>
        <translation>Pixel für jeden auf dem Schirm</translation>
    </message>
    <message>
        <source>SVG (*.svg);;PDF (*.pdf);;PNG (*.png);;CSV (*.csv);;TSV (*.tsv)</source>
        <translation>SVG (*.svg);;PDF (*.pdf);;PNG (*.png);;CSV (*.csv);;TSV (*.tsv)</translation>
    </message>
    <message>
        <source>Exporting curves</source>
        <translation>Kurven werden exportiert</translation>
    </message>
    <message>
        <source>Save pictures...</source>
        <translation>Bilder speichern ...</translation>
    </message>
    <message>
        <source>Export curves...</source>
        <translation>Kurven exportieren ...</translation>
    </message>
    <message>
        <source>Export profile...</source>
        <translation>Profil exportieren ...</translation>
    </message>
    <message>
        <source>Export the pane below the pictures...</source>
        <translation>Feld unter den Bildern exportieren ...</translation>
    </message>
    <message>
        <source>Export histogram</source>
        <translation>Histogramm exportieren</translation>
    </message>
    <message>
        <source>Writes what the pane below the pictures shows: profile, histogram, ROIs or curves against time as a table, 3-D as a picture</source>
        <translation>Schreibt, was unter den Bildern steht: Profil, Histogramm, ROIs oder Zeitkurven als Tabelle, 3-D als Bild</translation>
    </message>
    <message>
        <source>Export curves against time</source>
        <translation>Zeitkurven exportieren</translation>
    </message>
</context>
<context>
    <name>tof::ui::FigurePage</name>
    <message>
        <source>Panels of the figure</source>
        <translation>Teile der Abbildung</translation>
    </message>
    <message>
        <source>Add slice to figure</source>
        <translation>Schnitt zur Abbildung hinzufügen</translation>
    </message>
    <message>
        <source>Slice</source>
        <translation>Schnitt</translation>
    </message>
    <message>
        <source>Adds the slice of the selected run through the cursor to the figure</source>
        <translation>Fügt den Schnitt des gewählten Laufs durch den Cursor zur Abbildung hinzu</translation>
    </message>
    <message>
        <source>Add profile to figure</source>
        <translation>Profil zur Abbildung hinzufügen</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>Adds the profiles of all runs along x through the cursor to the figure</source>
        <translation>Fügt die Profile aller Läufe entlang x durch den Cursor zur Abbildung hinzu</translation>
    </message>
    <message>
        <source>Add curves to figure</source>
        <translation>Kurven zur Abbildung hinzufügen</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>Adds CRC against noise of all runs to the figure</source>
        <translation>Fügt CRC gegen Rauschen aller Läufe zur Abbildung hinzu</translation>
    </message>
    <message>
        <source>Move panel forward</source>
        <translation>Teil nach vorn rücken</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vor</translation>
    </message>
    <message>
        <source>Moves the selected panel of the figure a place forward</source>
        <translation>Rückt den gewählten Teil der Abbildung einen Platz nach vorn</translation>
    </message>
    <message>
        <source>Move panel back</source>
        <translation>Teil nach hinten rücken</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Moves the selected panel of the figure a place back</source>
        <translation>Rückt den gewählten Teil der Abbildung einen Platz nach hinten</translation>
    </message>
    <message>
        <source>Remove panel from figure</source>
        <translation>Teil aus der Abbildung entfernen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Takes the selected panel out of the figure; Undo brings it back</source>
        <translation>Nimmt den gewählten Teil aus der Abbildung; Rückgängig bringt ihn zurück</translation>
    </message>
    <message>
        <source>Open template of a figure...</source>
        <translation>Vorlage einer Abbildung öffnen...</translation>
    </message>
    <message>
        <source>Shows the figure of a template, as the study keeps them in its folder figures</source>
        <translation>Zeigt die Abbildung einer Vorlage, wie die Studie sie in ihrem Ordner figures hält</translation>
    </message>
    <message>
        <source>Keep template of figure...</source>
        <translation>Vorlage der Abbildung behalten...</translation>
    </message>
    <message>
        <source>Writes the template into the study: tofscope-cli figure makes the figure again from it</source>
        <translation>Schreibt die Vorlage in die Studie: tofscope-cli figure macht die Abbildung daraus von Neuem</translation>
    </message>
    <message>
        <source>Export figure...</source>
        <translation>Abbildung exportieren...</translation>
    </message>
    <message>
        <source>Writes the figure as PDF or SVG, with its fonts</source>
        <translation>Schreibt die Abbildung als PDF oder SVG, mit ihren Schriften</translation>
    </message>
    <message>
        <source>Width of the figure</source>
        <translation>Breite der Abbildung</translation>
    </message>
    <message>
        <source>%1 mm</source>
        <translation>%1 mm</translation>
    </message>
    <message>
        <source>width of the figure</source>
        <translation>Breite der Abbildung</translation>
    </message>
    <message>
        <source>Columns of the figure</source>
        <translation>Spalten der Abbildung</translation>
    </message>
    <message>
        <source>1 column</source>
        <translation>1 Spalte</translation>
    </message>
    <message>
        <source>%1 columns</source>
        <translation>%1 Spalten</translation>
    </message>
    <message>
        <source>columns of the figure</source>
        <translation>Spalten der Abbildung</translation>
    </message>
    <message>
        <source>Title of the panel</source>
        <translation>Titel des Teils</translation>
    </message>
    <message>
        <source>Title: the name of the run</source>
        <translation>Titel: der Name des Laufs</translation>
    </message>
    <message>
        <source>title of a panel</source>
        <translation>Titel eines Teils</translation>
    </message>
    <message>
        <source>Run of the panel</source>
        <translation>Lauf des Teils</translation>
    </message>
    <message>
        <source>run of a panel</source>
        <translation>Lauf eines Teils</translation>
    </message>
    <message>
        <source>Plane of the panel</source>
        <translation>Ebene des Teils</translation>
    </message>
    <message>
        <source>Transverse</source>
        <translation>Transversal</translation>
    </message>
    <message>
        <source>Coronal</source>
        <translation>Koronal</translation>
    </message>
    <message>
        <source>Sagittal</source>
        <translation>Sagittal</translation>
    </message>
    <message>
        <source>plane of a panel</source>
        <translation>Ebene eines Teils</translation>
    </message>
    <message>
        <source>Place of the slice, mm</source>
        <translation>Ort des Schnitts, mm</translation>
    </message>
    <message>
        <source>Coordinate of the slice along the normal of its plane, mm</source>
        <translation>Koordinate des Schnitts entlang der Normalen seiner Ebene, mm</translation>
    </message>
    <message>
        <source>place of a slice</source>
        <translation>Ort eines Schnitts</translation>
    </message>
    <message>
        <source>A figure belongs to a study: save the study first</source>
        <translation>Eine Abbildung gehört zu einer Studie: zuerst die Studie sichern</translation>
    </message>
    <message>
        <source>There are no runs yet</source>
        <translation>Es gibt noch keine Läufe</translation>
    </message>
    <message>
        <source>No panel of the figure is selected</source>
        <translation>Kein Teil der Abbildung ist gewählt</translation>
    </message>
    <message>
        <source>Figure: select a run with an image first</source>
        <translation>Abbildung: zuerst einen Lauf mit einem Bild wählen</translation>
    </message>
    <message>
        <source>add a panel</source>
        <translation>Teil hinzufügen</translation>
    </message>
    <message>
        <source>move a panel</source>
        <translation>Teil verschieben</translation>
    </message>
    <message>
        <source>remove a panel</source>
        <translation>Teil entfernen</translation>
    </message>
    <message>
        <source>open a template</source>
        <translation>Vorlage öffnen</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Abbildung</translation>
    </message>
    <message>
        <source>Add a slice, a profile or curves</source>
        <translation>Einen Schnitt, ein Profil oder Kurven hinzufügen</translation>
    </message>
    <message>
        <source>%1 x %2 mm</source>
        <translation>%1 x %2 mm</translation>
    </message>
    <message>
        <source>%1: slice at %2 mm</source>
        <translation>%1: Schnitt bei %2 mm</translation>
    </message>
    <message>
        <source>%1: profiles</source>
        <translation>%1: Profile</translation>
    </message>
    <message>
        <source>%1: curves</source>
        <translation>%1: Kurven</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>Keep template of figure</source>
        <translation>Vorlage der Abbildung behalten</translation>
    </message>
    <message>
        <source>Name of the figure</source>
        <translation>Name der Abbildung</translation>
    </message>
    <message>
        <source>Open template of a figure</source>
        <translation>Vorlage einer Abbildung öffnen</translation>
    </message>
    <message>
        <source>Templates (*.json)</source>
        <translation>Vorlagen (*.json)</translation>
    </message>
    <message>
        <source>Export figure</source>
        <translation>Abbildung exportieren</translation>
    </message>
    <message>
        <source>PDF (*.pdf);;SVG (*.svg)</source>
        <translation>PDF (*.pdf);;SVG (*.svg)</translation>
    </message>
    <message>
        <source>Template as text</source>
        <translation>Vorlage als Text</translation>
    </message>
    <message>
        <source>Fields as docs/figures.md lists them</source>
        <translation>Felder, wie docs/figures.md sie aufzählt</translation>
    </message>
    <message>
        <source>the text</source>
        <translation>der Text</translation>
    </message>
    <message>
        <source>template as text</source>
        <translation>Vorlage als Text</translation>
    </message>
    <message>
        <source>Template of figure as text...</source>
        <translation>Vorlage der Abbildung als Text...</translation>
    </message>
    <message>
        <source>Shows all that the template says, and takes what is changed in it</source>
        <translation>Zeigt alles, was die Vorlage sagt, und nimmt, was darin geändert wird</translation>
    </message>
    <message>
        <source>Colour map of the figure</source>
        <translation>Farbtabelle der Abbildung</translation>
    </message>
    <message>
        <source>colour map of the figure</source>
        <translation>Farbtabelle der Abbildung</translation>
    </message>
    <message>
        <source>Letters of the panels</source>
        <translation>Buchstaben der Felder</translation>
    </message>
    <message>
        <source>letters of the panels</source>
        <translation>Buchstaben der Felder</translation>
    </message>
    <message>
        <source>a, b, c</source>
        <translation>a, b, c</translation>
    </message>
    <message>
        <source>A, B, C</source>
        <translation>A, B, C</translation>
    </message>
    <message>
        <source>no letters</source>
        <translation>ohne</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Both ends of the range of all slices; empty: automatic</source>
        <translation>Beide Enden des Bereichs aller Schichten; leer: von selbst</translation>
    </message>
    <message>
        <source>Bar, mm</source>
        <translation>Maß, mm</translation>
    </message>
    <message>
        <source>Length of the scale bar; 0: none, empty: automatic</source>
        <translation>Länge des Maßstabs; 0: keiner, leer: von selbst</translation>
    </message>
    <message>
        <source>Own range</source>
        <translation>Eigener Bereich</translation>
    </message>
    <message>
        <source>Both ends of this slice&apos;s range; empty: the figure&apos;s</source>
        <translation>Beide Enden des Bereichs dieser Schicht; leer: der der Abbildung</translation>
    </message>
    <message>
        <source>%1 of the line that the profiles are taken along: x y z, mm</source>
        <translation>%1: Ende der Linie, an der die Profile entlang gehen: x y z, mm</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Bis</translation>
    </message>
</context>
<context>
    <name>tof::ui::FigurePreview</name>
    <message>
        <source>Figure as it is written</source>
        <translation>Abbildung, wie sie geschrieben wird</translation>
    </message>
</context>
<context>
    <name>tof::ui::FiguresPanel</name>
    <message>
        <source>CURVES</source>
        <translation>KURVEN</translation>
    </message>
    <message>
        <source>Contrast recovery of the spheres over noise</source>
        <translation>Kontrast-Recovery der Kugeln über dem Rauschen</translation>
    </message>
    <message>
        <source>Of the selected ROI against the iterate, for every run</source>
        <translation>Der ausgewählten ROI gegen die Iteration, für jeden Lauf</translation>
    </message>
    <message>
        <source>Against the iterate, for every run</source>
        <translation>Gegen die Iteration, für jeden Lauf</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>Logarithmic axis of noise, or of a value against the iterate</source>
        <translation>Logarithmische Achse des Rauschens oder eines Wertes gegen die Iteration</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>Shows all points again after zooming (wheel) or panning (drag)</source>
        <translation>Zeigt nach Zoomen (Rad) oder Verschieben (Ziehen) wieder alle Punkte</translation>
    </message>
    <message>
        <source>What the curves show</source>
        <translation>Was die Kurven zeigen</translation>
    </message>
    <message>
        <source>What the curves show; ROI: of the selected one, against the iterate</source>
        <translation>Was die Kurven zeigen; ROI: der ausgewählten, gegen die Iteration</translation>
    </message>
    <message>
        <source>ROIs</source>
        <translation>ROIs</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>Exact numbers, role and looks of the selected ROI, below the table</source>
        <translation>Genaue Zahlen, Rolle und Aussehen der ausgewählten ROI, unter der Tabelle</translation>
    </message>
    <message>
        <source>True CRC: of the phantom&apos;s own activity by the same ROIs on the same voxels. Overshoot: the largest value within 10 mm of a hot sphere&apos;s edge over its true value. Both for every ROI in the table below the pictures</source>
        <translation>Wahrer CRC: der Aktivität des Phantoms selbst, mit denselben ROIs auf denselben Voxeln. Überschwingen: der größte Wert bis 10 mm vom Rand einer heißen Kugel durch ihren wahren. Beides für jede ROI in der Tabelle unter den Bildern</translation>
    </message>
    <message>
        <source>no true CRC: the data name no phantom of shapes</source>
        <translation>kein wahrer CRC: Die Daten nennen kein Phantom aus Formen</translation>
    </message>
    <message>
        <source>true CRC %1 %</source>
        <translation>wahrer CRC %1 %</translation>
    </message>
    <message>
        <source>overshoot %1</source>
        <translation>Überschwingen %1</translation>
    </message>
    <message>
        <source>no true CRC: no ROI is a sphere of the phantom</source>
        <translation>kein wahrer CRC: Keine ROI ist eine Kugel des Phantoms</translation>
    </message>
    <message>
        <source>STAGES</source>
        <translation>STUFEN</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>Zeichnen</translation>
    </message>
    <message>
        <source>Draws an ROI into a picture: choose its shape</source>
        <translation>Zeichnet eine ROI in ein Bild: die Form wählen</translation>
    </message>
    <message>
        <source>no ROIs known for this study</source>
        <translation>für diese Studie sind keine ROIs bekannt</translation>
    </message>
    <message>
        <source>SD (n − 1); pixels by fraction inside</source>
        <translation>SD (n − 1); Pixel nach innerem Anteil</translation>
    </message>
    <message>
        <source>run %1, seconds per iteration</source>
        <translation>Lauf %1, Sekunden je Iteration</translation>
    </message>
    <message>
        <source>Auto axes</source>
        <translation>Automatische Achsen</translation>
    </message>
    <message>
        <source>How well a sphere is told from background by a model observer of runs of equal settings and other data</source>
        <translation>Wie gut ein Modellbeobachter in Läufen mit gleichen Einstellungen und anderen Daten eine Kugel vom Hintergrund unterscheidet</translation>
    </message>
    <message>
        <source>Observer</source>
        <translation>Beobachter</translation>
    </message>
    <message>
        <source>Show curves</source>
        <translation>Kurven zeigen</translation>
    </message>
    <message>
        <source>Observer...</source>
        <translation>Beobachter...</translation>
    </message>
    <message>
        <source>Chooses the model observer whose AUC the curves show: its channels, internal noise, and whether it searches the place</source>
        <translation>Wählt den Modellbeobachter, dessen AUC die Kurven zeigen: Kanäle, inneres Rauschen und ob er den Ort sucht</translation>
    </message>
</context>
<context>
    <name>tof::ui::FileCommands</name>
    <message>
        <source>File of another folder</source>
        <translation>Datei eines anderen Ordners</translation>
    </message>
    <message>
        <source>%1 names the file '%2', which lies outside its folder. May it be read? Say yes only if you trust where the header came from, and open it again.</source>
        <translation>%1 nennt die Datei „%2“, die außerhalb seines Ordners liegt. Darf sie gelesen werden? Sagen Sie nur ja, wenn Sie der Herkunft des Headers trauen, und öffnen Sie ihn erneut.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Opens a study folder, data, list-mode, run or volume</source>
        <translation>Öffnet einen Studienordner, Daten, List-Mode, einen Lauf oder ein Volumen</translation>
    </message>
    <message>
        <source>New simulated study</source>
        <translation>Neue simulierte Studie</translation>
    </message>
    <message>
        <source>Open the demo study</source>
        <translation>Demostudie öffnen</translation>
    </message>
    <message>
        <source>Opens the demo study; it is simulated at the first use</source>
        <translation>Öffnet die Demostudie; beim ersten Mal wird sie simuliert</translation>
    </message>
    <message>
        <source>Save image as</source>
        <translation>Bild speichern unter</translation>
    </message>
    <message>
        <source>Writes the volume on screen as HDF5, NIfTI or Interfile</source>
        <translation>Schreibt das Volumen auf dem Schirm als HDF5, NIfTI oder Interfile</translation>
    </message>
    <message>
        <source>Close study</source>
        <translation>Studie schließen</translation>
    </message>
    <message>
        <source>Closes what is open; its view and settings are kept in the study</source>
        <translation>Schließt, was offen ist; Ansicht und Einstellungen bleiben in der Studie</translation>
    </message>
    <message>
        <source>Nothing is open</source>
        <translation>Nichts ist offen</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Closes the window; a running reconstruction is stopped</source>
        <translation>Schließt das Fenster; eine laufende Rekonstruktion wird beendet</translation>
    </message>
    <message>
        <source>Reopen last session</source>
        <translation>Letzte Sitzung öffnen</translation>
    </message>
    <message>
        <source>Opens the files of the session before this one and puts everything back as it was</source>
        <translation>Öffnet die Dateien der Sitzung davor und stellt alles wieder her, wie es war</translation>
    </message>
    <message>
        <source>No earlier session is remembered</source>
        <translation>An keine frühere Sitzung wird erinnert</translation>
    </message>
    <message>
        <source>Recover runs</source>
        <translation>Läufe retten</translation>
    </message>
    <message>
        <source>Opens the data of runs that an earlier session has left, and puts the runs beside what is there</source>
        <translation>Öffnet die Daten von Läufen, die eine frühere Sitzung hinterließ, und legt die Läufe zu den vorhandenen</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
    <message>
        <source>HDF5 (*.h5);;NIfTI (*.nii *.nii.gz);;Interfile (*.hv);;DICOM series (*.dicom)</source>
        <translation>HDF5 (*.h5);;NIfTI (*.nii *.nii.gz);;Interfile (*.hv);;DICOM-Serie (*.dicom)</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>%1 wird geschrieben</translation>
    </message>
    <message>
        <source>Open...</source>
        <translation>Öffnen ...</translation>
    </message>
    <message>
        <source>New simulated study...</source>
        <translation>Neue simulierte Studie ...</translation>
    </message>
    <message>
        <source>Simulates a phantom in a scanner, once or for several seeds, and opens it as a study</source>
        <translation>Simuliert ein Phantom in einem Scanner, einmal oder mit mehreren Startwerten, und öffnet es als Studie</translation>
    </message>
    <message>
        <source>Save image as...</source>
        <translation>Bild speichern unter ...</translation>
    </message>
    <message>
        <source>Discard what was left</source>
        <translation>Übriggebliebenes verwerfen</translation>
    </message>
    <message>
        <source>Deletes the runs that an earlier session has left, for good</source>
        <translation>Löscht die Läufe, die eine frühere Sitzung zurückließ, endgültig</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Open folder...</source>
        <translation>Ordner öffnen...</translation>
    </message>
    <message>
        <source>Opens a study, NAME.tofstudy, or a folder of DICOM files</source>
        <translation>Öffnet eine Studie, NAME.tofstudy, oder einen Ordner mit DICOM-Dateien</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Save study as</source>
        <translation>Studie speichern als</translation>
    </message>
    <message>
        <source>Makes a study of the open data with their runs, ROIs and settings, or copies the open study, and opens it</source>
        <translation>Macht aus den offenen Daten mit ihren Läufen, ROIs und Einstellungen eine Studie, oder kopiert die offene Studie, und öffnet sie</translation>
    </message>
    <message>
        <source>Studies (*.tofstudy)</source>
        <translation>Studien (*.tofstudy)</translation>
    </message>
    <message>
        <source>Save study as...</source>
        <translation>Studie speichern als ...</translation>
    </message>
    <message>
        <source>Browse a folder...</source>
        <translation>Ordner durchsehen...</translation>
    </message>
    <message>
        <source>Series of DICOM and studies in a folder and below it, with pictures; several open as layers</source>
        <translation>Serien von DICOM und Studien in einem Ordner und darunter, mit Bildern; mehrere öffnen als Ebenen</translation>
    </message>
    <message>
        <source>Open beside...</source>
        <translation>Daneben öffnen...</translation>
    </message>
    <message>
        <source>Opens another study in a window of its own, whose cursor goes with this one&apos;s</source>
        <translation>Öffnet eine andere Studie in einem eigenen Fenster, dessen Zeiger mit dem dieses Fensters geht</translation>
    </message>
    <message>
        <source>Cursor goes with the windows beside</source>
        <translation>Zeiger geht mit den Fenstern daneben</translation>
    </message>
    <message>
        <source>Off, this window&apos;s cursor is its own again</source>
        <translation>Ausgeschaltet gehört der Zeiger wieder diesem Fenster allein</translation>
    </message>
    <message>
        <source>No window is beside this one</source>
        <translation>Neben diesem Fenster ist keines</translation>
    </message>
    <message>
        <source>Open beside</source>
        <translation>Daneben öffnen</translation>
    </message>
</context>
<context>
    <name>tof::ui::KernelLab</name>
    <message>
        <source>no measured kernel was loaded: load a JSON file with measured profiles</source>
        <translation>kein gemessener Kern ist geladen: eine JSON-Datei mit gemessenen Profilen laden</translation>
    </message>
</context>
<context>
    <name>tof::ui::KernelLabControls</name>
    <message>
        <source>KERNEL</source>
        <translation>KERN</translation>
    </message>
    <message>
        <source>WIDTHS</source>
        <translation>BREITEN</translation>
    </message>
    <message>
        <source>VIEW ANGLE</source>
        <translation>BLICKWINKEL</translation>
    </message>
    <message>
        <source>POINT SOURCES</source>
        <translation>PUNKTQUELLEN</translation>
    </message>
    <message>
        <source>Kernel preset</source>
        <translation>Vorlage des Kerns</translation>
    </message>
    <message>
        <source>Kernel that the lab begins with; widths are FWHM in mm</source>
        <translation>Kern, mit dem das Labor beginnt; Breiten sind FWHM in mm</translation>
    </message>
    <message>
        <source>FWHM</source>
        <translation>FWHM</translation>
    </message>
    <message>
        <source>TOF</source>
        <translation>TOF</translation>
    </message>
    <message>
        <source>Coincidence time resolution, ps FWHM; 1 ps is 0.15 mm along the line</source>
        <translation>Koinzidenzzeitauflösung, ps FWHM; 1 ps sind 0.15 mm längs der Linie</translation>
    </message>
    <message>
        <source>Axial</source>
        <translation>Axial</translation>
    </message>
    <message>
        <source>FWHM along the axial axis of the view, mm</source>
        <translation>FWHM längs der axialen Achse der Ansicht, mm</translation>
    </message>
    <message>
        <source>Cut-off</source>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>The kernel ends this many sigma away in every direction</source>
        <translation>Der Kern endet in jeder Richtung so viele Sigma entfernt</translation>
    </message>
    <message>
        <source>Id step</source>
        <translation>Id-Schritt</translation>
    </message>
    <message>
        <source>Width of a kernel-id bin in |s|, mm: voxels within one share a kernel</source>
        <translation>Breite eines Kern-Id-Bins in |s|, mm: Voxel darin teilen einen Kern</translation>
    </message>
    <message>
        <source>Ratio</source>
        <translation>Verhältnis</translation>
    </message>
    <message>
        <source>Width of the second Gaussian over that of the first</source>
        <translation>Breite der zweiten Gauß-Funktion zu der der ersten</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>Versatz</translation>
    </message>
    <message>
        <source>Of the second Gaussian towards the centre, in sigma of the first</source>
        <translation>Der zweiten Gauß-Funktion zur Mitte hin, in Sigma der ersten</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>Share of the first Gaussian&apos;s area</source>
        <translation>Flächenanteil der ersten Gauß-Funktion</translation>
    </message>
    <message>
        <source>Points of the width line</source>
        <translation>Punkte der Breitenkurve</translation>
    </message>
    <message>
        <source>|s|, mm</source>
        <translation>|s|, mm</translation>
    </message>
    <message>
        <source>radial, mm</source>
        <translation>radial, mm</translation>
    </message>
    <message>
        <source>Azimuth</source>
        <translation>Azimut</translation>
    </message>
    <message>
        <source>Azimuth of the view, degrees</source>
        <translation>Azimut der Ansicht, Grad</translation>
    </message>
    <message>
        <source>Tilt</source>
        <translation>Neigung</translation>
    </message>
    <message>
        <source>Co-polar angle of the view, degrees</source>
        <translation>Kopolarer Winkel der Ansicht, Grad</translation>
    </message>
    <message>
        <source>Point sources</source>
        <translation>Punktquellen</translation>
    </message>
    <message>
        <source>x, mm</source>
        <translation>x, mm</translation>
    </message>
    <message>
        <source>y, mm</source>
        <translation>y, mm</translation>
    </message>
    <message>
        <source>z, mm</source>
        <translation>z, mm</translation>
    </message>
    <message>
        <source>custom, from %1</source>
        <translation>eigener, aus %1</translation>
    </message>
    <message>
        <source>profile %1</source>
        <translation>Profil %1</translation>
    </message>
    <message>
        <source>point %1</source>
        <translation>Punkt %1</translation>
    </message>
    <message>
        <source>the image on screen is projected instead</source>
        <translation>statt ihrer wird das Bild auf dem Schirm projiziert</translation>
    </message>
    <message>
        <source>click in a picture to add one</source>
        <translation>ein Klick in ein Bild setzt eine</translation>
    </message>
    <message>
        <source>click in a picture to add one, drag to move it; there, Ins adds, arrow keys move (Shift: ten voxels), Del removes</source>
        <translation>Klick in ein Bild fügt eine hinzu, Ziehen bewegt sie; dort fügt Einfg hinzu, Pfeiltasten bewegen (Umschalt: zehn Voxel), Entf entfernt</translation>
    </message>
</context>
<context>
    <name>tof::ui::KernelLabPage</name>
    <message>
        <source>Kernel lab</source>
        <translation>Kernlabor</translation>
    </message>
    <message>
        <source>Transverse</source>
        <translation>Transversal</translation>
    </message>
    <message>
        <source>Coronal</source>
        <translation>Koronal</translation>
    </message>
    <message>
        <source>Sagittal</source>
        <translation>Sagittal</translation>
    </message>
    <message>
        <source>first operand</source>
        <translation>erster Operand</translation>
    </message>
    <message>
        <source>second operand</source>
        <translation>zweiter Operand</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>Differenz</translation>
    </message>
    <message>
        <source>projection on its way</source>
        <translation>Projektion kommt gleich</translation>
    </message>
    <message>
        <source>a difference needs both projections</source>
        <translation>eine Differenz braucht beide Projektionen</translation>
    </message>
    <message>
        <source>WIDTH AGAINST RADIUS</source>
        <translation>BREITE GEGEN RADIUS</translation>
    </message>
    <message>
        <source>Limit of the difference, per cent of the peak</source>
        <translation>Grenze der Differenz, Prozent des Maximums</translation>
    </message>
    <message>
        <source>Limit of the difference, per cent of the largest value of A</source>
        <translation>Grenze der Differenz, Prozent des größten Wertes von A</translation>
    </message>
    <message>
        <source>There is no image on screen</source>
        <translation>Auf dem Schirm ist kein Bild</translation>
    </message>
    <message>
        <source>The image on screen lies on another lattice than the lab</source>
        <translation>Das Bild auf dem Schirm liegt auf einem anderen Gitter als das Labor</translation>
    </message>
    <message>
        <source>largest |A − B|</source>
        <translation>größtes |A − B|</translation>
    </message>
    <message>
        <source>bit-identical</source>
        <translation>bitgleich</translation>
    </message>
    <message>
        <source>% of peak, at (%1, %2, %3) mm</source>
        <translation>% vom Maximum, bei (%1, %2, %3) mm</translation>
    </message>
    <message>
        <source>Of the largest value of A; the voxel where it is</source>
        <translation>Vom größten Wert von A; das Voxel, in dem es liegt</translation>
    </message>
    <message>
        <source>RMS</source>
        <translation>RMS</translation>
    </message>
    <message>
        <source>% of peak</source>
        <translation>% vom Maximum</translation>
    </message>
    <message>
        <source>Root mean square of A - B over all voxels, of the largest value of A</source>
        <translation>Effektivwert von A - B über alle Voxel, bezogen auf den größten Wert von A</translation>
    </message>
    <message>
        <source>relative RMS</source>
        <translation>relativer RMS</translation>
    </message>
    <message>
        <source>Root mean square of A - B over that of B</source>
        <translation>Effektivwert von A - B durch den von B</translation>
    </message>
    <message>
        <source>projection A, B</source>
        <translation>Projektion A, B</translation>
    </message>
    <message>
        <source>Tables and plans before them took %1 and %2 ms</source>
        <translation>Tabellen und Pläne davor dauerten %1 und %2 ms</translation>
    </message>
    <message>
        <source>change to picture</source>
        <translation>Änderung bis Bild</translation>
    </message>
    <message>
        <source>adjoint test</source>
        <translation>Adjungiertheit</translation>
    </message>
    <message>
        <source>|&lt;F x, y&gt; - &lt;x, F&apos;y&gt;| / |&lt;F x, y&gt;| for random x and y</source>
        <translation>|&lt;F x, y&gt; - &lt;x, F&apos;y&gt;| / |&lt;F x, y&gt;| für zufällige x und y</translation>
    </message>
    <message>
        <source>Open the Kernel lab first</source>
        <translation>Zuerst das Kernlabor öffnen</translation>
    </message>
    <message>
        <source>Invariant</source>
        <translation>Invariant</translation>
    </message>
    <message>
        <source>One kernel for every voxel</source>
        <translation>Ein Kern für jedes Voxel</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>Variant</translation>
    </message>
    <message>
        <source>The radial width depends on the distance from the centre</source>
        <translation>Die radiale Breite hängt vom Abstand zur Mitte ab</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>Radial profiles that were measured</source>
        <translation>Radiale Profile, die gemessen wurden</translation>
    </message>
    <message>
        <source>Load a measured kernel first (a JSON file)</source>
        <translation>Zuerst einen gemessenen Kern laden (eine JSON-Datei)</translation>
    </message>
    <message>
        <source>Symmetric</source>
        <translation>Symmetrisch</translation>
    </message>
    <message>
        <source>One Gaussian along each axis</source>
        <translation>Eine Gauß-Funktion längs jeder Achse</translation>
    </message>
    <message>
        <source>Asymmetric</source>
        <translation>Asymmetrisch</translation>
    </message>
    <message>
        <source>A second, wider Gaussian moved towards the centre</source>
        <translation>Eine zweite, breitere Gauß-Funktion, zur Mitte hin versetzt</translation>
    </message>
    <message>
        <source>A measured kernel is as asymmetric as it was measured</source>
        <translation>Ein gemessener Kern ist so asymmetrisch, wie er gemessen wurde</translation>
    </message>
    <message>
        <source>At voxel centres</source>
        <translation>In Voxelmitten</translation>
    </message>
    <message>
        <source>Values of the kernel at the centres of voxels, as the papers take them</source>
        <translation>Werte des Kerns in den Mitten der Voxel, wie die Arbeiten sie nehmen</translation>
    </message>
    <message>
        <source>Over voxels</source>
        <translation>Über Voxel</translation>
    </message>
    <message>
        <source>Values averaged over a source voxel filled evenly and the target voxel</source>
        <translation>Werte, gemittelt über ein gleichmäßig gefülltes Quellvoxel und das Zielvoxel</translation>
    </message>
    <message>
        <source>Load kernel</source>
        <translation>Kern laden</translation>
    </message>
    <message>
        <source>Reads a kernel, described or measured, from a JSON file</source>
        <translation>Liest einen Kern, beschrieben oder gemessen, aus einer JSON-Datei</translation>
    </message>
    <message>
        <source>Save preset</source>
        <translation>Vorlage speichern</translation>
    </message>
    <message>
        <source>Keeps the lab&apos;s kernel under a name: for runs, the lab and --kernel preset:NAME</source>
        <translation>Behält den Kern des Labors unter einem Namen: für Läufe, das Labor und --kernel preset:NAME</translation>
    </message>
    <message>
        <source>Delete preset</source>
        <translation>Vorlage löschen</translation>
    </message>
    <message>
        <source>Deletes the preset of one&apos;s own that the lab&apos;s kernel comes from; the kernel stays</source>
        <translation>Löscht die eigene Vorlage, aus der der Kern des Labors kommt; der Kern bleibt</translation>
    </message>
    <message>
        <source>The lab&apos;s kernel does not come from a preset of one&apos;s own</source>
        <translation>Der Kern des Labors kommt nicht aus einer eigenen Vorlage</translation>
    </message>
    <message>
        <source>Export kernel</source>
        <translation>Kern exportieren</translation>
    </message>
    <message>
        <source>Writes the lab&apos;s kernel to a JSON file that any run can use</source>
        <translation>Schreibt den Kern des Labors in eine JSON-Datei, die jeder Lauf nehmen kann</translation>
    </message>
    <message>
        <source>Save kernel</source>
        <translation>Kern speichern</translation>
    </message>
    <message>
        <source>Use for the next run</source>
        <translation>Für den nächsten Lauf nehmen</translation>
    </message>
    <message>
        <source>The next run reconstructs with the lab&apos;s kernel</source>
        <translation>Der nächste Lauf rekonstruiert mit dem Kern des Labors</translation>
    </message>
    <message>
        <source>Kernels (*.json);;All files (*)</source>
        <translation>Kerne (*.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Loading a kernel</source>
        <translation>Kern wird geladen</translation>
    </message>
    <message>
        <source>Name of the kernel</source>
        <translation>Name des Kerns</translation>
    </message>
    <message>
        <source>Saving a preset</source>
        <translation>Vorlage wird gespeichert</translation>
    </message>
    <message>
        <source>there is a preset &apos;%1&apos;: choose it and delete it first, or take another name</source>
        <translation>die Vorlage „%1“ gibt es schon: sie zuerst wählen und löschen oder einen anderen Namen nehmen</translation>
    </message>
    <message>
        <source>Deleting a preset</source>
        <translation>Vorlage wird gelöscht</translation>
    </message>
    <message>
        <source>Using the lab&apos;s kernel</source>
        <translation>Kern des Labors wird übernommen</translation>
    </message>
    <message>
        <source>Add point source</source>
        <translation>Punktquelle hinzufügen</translation>
    </message>
    <message>
        <source>Adds a point source at the lab&apos;s cursor</source>
        <translation>Setzt eine Punktquelle an den Cursor des Labors</translation>
    </message>
    <message>
        <source>Remove point source</source>
        <translation>Punktquelle entfernen</translation>
    </message>
    <message>
        <source>Removes the selected point source</source>
        <translation>Entfernt die ausgewählte Punktquelle</translation>
    </message>
    <message>
        <source>No point source is selected</source>
        <translation>Keine Punktquelle ist ausgewählt</translation>
    </message>
    <message>
        <source>Clear point sources</source>
        <translation>Punktquellen leeren</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Removes every point source</source>
        <translation>Entfernt jede Punktquelle</translation>
    </message>
    <message>
        <source>There are no point sources</source>
        <translation>Es gibt keine Punktquellen</translation>
    </message>
    <message>
        <source>Project the image on screen</source>
        <translation>Das Bild auf dem Schirm projizieren</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Projects the image on screen in place of the point sources</source>
        <translation>Projiziert statt der Punktquellen das Bild auf dem Schirm</translation>
    </message>
    <message>
        <source>Maximum intensity</source>
        <translation>Maximumintensität</translation>
    </message>
    <message>
        <source>MIP</source>
        <translation>MIP</translation>
    </message>
    <message>
        <source>Shows all slices at once; off shows the slice at the cursor</source>
        <translation>Zeigt alle Schichten auf einmal; aus zeigt die Schicht am Cursor</translation>
    </message>
    <message>
        <source>Fit the point sources</source>
        <translation>Punktquellen einpassen</translation>
    </message>
    <message>
        <source>Zoom and pan of the lab&apos;s pictures so that every point source is in them</source>
        <translation>Zoomt und verschiebt die Bilder des Labors so, dass jede Punktquelle darin ist</translation>
    </message>
    <message>
        <source>Presets in the plot</source>
        <translation>Vorlagen im Diagramm</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>Vorlagen</translation>
    </message>
    <message>
        <source>Draws the widths of the presets behind those of the kernel</source>
        <translation>Zeichnet die Breiten der Vorlagen hinter die des Kerns</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kern</translation>
    </message>
    <message>
        <source>Kernel as a slice</source>
        <translation>Kern als Schicht</translation>
    </message>
    <message>
        <source>Slice</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>The kernel at the selected radius, cut through its middle</source>
        <translation>Der Kern am gewählten Radius, durch seine Mitte geschnitten</translation>
    </message>
    <message>
        <source>Kernel as a surface</source>
        <translation>Kern als Fläche</translation>
    </message>
    <message>
        <source>Surface</source>
        <translation>Fläche</translation>
    </message>
    <message>
        <source>The surface where the kernel reaches the level below it; drag turns it</source>
        <translation>Die Fläche, auf der der Kern das Niveau darunter erreicht; Ziehen dreht sie</translation>
    </message>
    <message>
        <source>Map of kernel ids</source>
        <translation>Karte der Kern-Ids</translation>
    </message>
    <message>
        <source>Ids</source>
        <translation>Ids</translation>
    </message>
    <message>
        <source>Which kernel serves which column of voxels in this view</source>
        <translation>Welcher Kern in dieser Ansicht welcher Voxelsäule dient</translation>
    </message>
    <message>
        <source>Auto limit of the difference</source>
        <translation>Grenze der Differenz automatisch</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>Limit of A - B at its largest size; of images at the 99.9th percentile</source>
        <translation>Grenze von A - B bei ihrem größten Betrag; von Bildern beim Perzentil 99.9</translation>
    </message>
    <message>
        <source>Measure all strategies</source>
        <translation>Alle Strategien messen</translation>
    </message>
    <message>
        <source>Times forward and back projection by every strategy and tests adjointness</source>
        <translation>Misst die Zeiten von Vorwärts- und Rückprojektion jeder Strategie und prüft die Adjungiertheit</translation>
    </message>
    <message>
        <source>Measuring already</source>
        <translation>Misst schon</translation>
    </message>
    <message>
        <source>Copy lab figures</source>
        <translation>Zahlen des Labors kopieren</translation>
    </message>
    <message>
        <source>Puts the numbers under the lab&apos;s projections on the clipboard</source>
        <translation>Legt die Zahlen unter den Projektionen des Labors in die Zwischenablage</translation>
    </message>
    <message>
        <source>Export widths</source>
        <translation>Breiten exportieren</translation>
    </message>
    <message>
        <source>Writes the width against the radius, with the presets, to a CSV file</source>
        <translation>Schreibt die Breite gegen den Radius, mit den Vorlagen, in eine CSV-Datei</translation>
    </message>
    <message>
        <source>the difference of the engines follows when the mouse rests</source>
        <translation>die Differenz der Engines folgt, wenn die Maus ruht</translation>
    </message>
    <message>
        <source>drag a point, off the plot to remove it; double-click to add</source>
        <translation>einen Punkt ziehen, aus dem Diagramm hinaus zum Entfernen; Doppelklick fügt hinzu</translation>
    </message>
    <message>
        <source>Keys: Tab takes the next point, arrows move it (Shift: ten times as far), Ins adds one behind it, Del removes it</source>
        <translation>Tasten: Tab nimmt den nächsten Punkt, Pfeile bewegen ihn (Umschalt: zehnmal so weit), Einfg fügt dahinter einen hinzu, Entf entfernt ihn</translation>
    </message>
    <message>
        <source>From the last change to a first picture, by the definition to single precision, and to the projections of the engines</source>
        <translation>Von der letzten Änderung bis zu einem ersten Bild, nach der Definition in einfacher Genauigkeit, und bis zu den Projektionen der Engines</translation>
    </message>
    <message>
        <source>Lab settings</source>
        <translation>Einstellungen des Labors</translation>
    </message>
    <message>
        <source>A narrow window shows the lab&apos;s settings beside the pictures</source>
        <translation>Ein schmales Fenster zeigt die Einstellungen des Labors neben den Bildern</translation>
    </message>
    <message>
        <source>Kernel and times</source>
        <translation>Kern und Zeiten</translation>
    </message>
    <message>
        <source>A narrow window shows the kernel&apos;s picture and the times beside the pictures</source>
        <translation>Ein schmales Fenster zeigt das Bild des Kerns und die Zeiten neben den Bildern</translation>
    </message>
    <message>
        <source>The window is wide enough for both</source>
        <translation>Das Fenster ist breit genug für beides</translation>
    </message>
    <message>
        <source>Compare projections</source>
        <translation>Projektionen vergleichen</translation>
    </message>
    <message>
        <source>Puts both projections beside the runs, as volumes, and opens the Compare page with them</source>
        <translation>Legt beide Projektionen als Volumen zu den Läufen und öffnet mit ihnen die Seite „Vergleich“</translation>
    </message>
    <message>
        <source>There are not two projections yet</source>
        <translation>Es gibt noch keine zwei Projektionen</translation>
    </message>
    <message>
        <source>%1, %2°</source>
        <translation>%1, %2°</translation>
    </message>
</context>
<context>
    <name>tof::ui::KernelLabReadout</name>
    <message>
        <source>%1 sums invariant kernels: %2 (share of the peak)</source>
        <translation>%1 summiert invariante Kerne: %2 (Anteil des Höchstwerts)</translation>
    </message>
    <message>
        <source>KERNEL</source>
        <translation>KERN</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Niveau</translation>
    </message>
    <message>
        <source>The surface is where the kernel reaches this share of its largest value; 50 % is the half maximum</source>
        <translation>Die Fläche liegt, wo der Kern diesen Anteil seines größten Wertes erreicht; 50 % ist die halbe Höhe</translation>
    </message>
    <message>
        <source>Taps</source>
        <translation>Stützstellen</translation>
    </message>
    <message>
        <source>Kernel ids</source>
        <translation>Kern-Ids</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Sum</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>FWHM as sampled</source>
        <translation>FWHM, abgetastet</translation>
    </message>
    <message>
        <source>From the second moments of the sampled, truncated kernel along TOF, radial, axial</source>
        <translation>Aus den zweiten Momenten des abgetasteten, abgeschnittenen Kerns längs TOF, radial, axial</translation>
    </message>
    <message>
        <source>FORWARD</source>
        <translation>VORWÄRTS</translation>
    </message>
    <message>
        <source>ms per view</source>
        <translation>ms je Ansicht</translation>
    </message>
    <message>
        <source>BACK</source>
        <translation>RÜCK</translation>
    </message>
    <message>
        <source>largest kernel</source>
        <translation>größter Kern</translation>
    </message>
    <message>
        <source>KiB, float32</source>
        <translation>KiB, float32</translation>
    </message>
    <message>
        <source>measuring…</source>
        <translation>wird gemessen…</translation>
    </message>
    <message>
        <source>%1, median of 5 after 1 to warm up</source>
        <translation>%1, Median aus 5 nach 1 zum Aufwärmen</translation>
    </message>
    <message>
        <source>of the projections on screen; Measure times all</source>
        <translation>der Projektionen auf dem Schirm; „Messen“ misst alle</translation>
    </message>
</context>
<context>
    <name>tof::ui::KernelPicture</name>
    <message>
        <source>TOF</source>
        <translation>TOF</translation>
    </message>
    <message>
        <source>radial</source>
        <translation>radial</translation>
    </message>
    <message>
        <source>axial</source>
        <translation>axial</translation>
    </message>
    <message>
        <source>%1 % of the peak, at |s| %2 mm</source>
        <translation>%1 % vom Maximum, bei |s| %2 mm</translation>
    </message>
    <message>
        <source>Surface of the kernel</source>
        <translation>Fläche des Kerns</translation>
    </message>
    <message>
        <source>Picture of the kernel</source>
        <translation>Bild des Kerns</translation>
    </message>
    <message>
        <source>at |s| %1&#xa0;mm</source>
        <translation>bei |s| %1&#xa0;mm</translation>
    </message>
    <message>
        <source>id  |s|, mm</source>
        <translation>id  |s|, mm</translation>
    </message>
    <message>
        <source>id  s, mm</source>
        <translation>id  s, mm</translation>
    </message>
</context>
<context>
    <name>tof::ui::LabHead</name>
    <message>
        <source>Projection A</source>
        <translation>Projektion A</translation>
    </message>
    <message>
        <source>Projection B</source>
        <translation>Projektion B</translation>
    </message>
    <message>
        <source>Forward or back, engine and strategy, kernel</source>
        <translation>Vorwärts oder rück, Engine und Strategie, Kern</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Rück</translation>
    </message>
    <message>
        <source>The definition is evaluated for point sources only</source>
        <translation>Die Definition wird nur für Punktquellen ausgewertet</translation>
    </message>
    <message>
        <source>this kernel</source>
        <translation>dieser Kern</translation>
    </message>
    <message>
        <source>a preset</source>
        <translation>eine Vorlage</translation>
    </message>
    <message>
        <source>preset %1</source>
        <translation>Vorlage %1</translation>
    </message>
</context>
<context>
    <name>tof::ui::LabPane</name>
    <message>
        <source>%1 MIP</source>
        <translation>%1 MIP</translation>
    </message>
</context>
<context>
    <name>tof::ui::OwnRanges</name>
    <message>
        <source>No range of your own is in this unit: Save this range makes one</source>
        <translation>Kein eigener Bereich ist in dieser Einheit: „Diesen Bereich sichern“ macht einen</translation>
    </message>
    <message>
        <source>Own range...</source>
        <translation>Eigener Bereich...</translation>
    </message>
    <message>
        <source>A display range that you have given a name to, in the unit of the image on screen</source>
        <translation>Ein Anzeigebereich, dem Sie einen Namen gegeben haben, in der Einheit des gezeigten Bildes</translation>
    </message>
    <message>
        <source>Save this range...</source>
        <translation>Diesen Bereich sichern...</translation>
    </message>
    <message>
        <source>Gives the display range a name, under which it is offered for every image in this unit</source>
        <translation>Gibt dem Anzeigebereich einen Namen, unter dem er für jedes Bild in dieser Einheit angeboten wird</translation>
    </message>
    <message>
        <source>There is no image yet</source>
        <translation>Es gibt noch kein Bild</translation>
    </message>
    <message>
        <source>Forget an own range...</source>
        <translation>Einen eigenen Bereich vergessen...</translation>
    </message>
    <message>
        <source>Takes one of your own display ranges out of the list</source>
        <translation>Nimmt einen Ihrer Anzeigebereiche aus der Liste</translation>
    </message>
    <message>
        <source>Save this range</source>
        <translation>Diesen Bereich sichern</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Own range</source>
        <translation>Eigener Bereich</translation>
    </message>
    <message>
        <source>Forget an own range</source>
        <translation>Einen eigenen Bereich vergessen</translation>
    </message>
    <message>
        <source>Your own ranges are damaged and stay as they are: correct or remove &apos;own-ranges&apos; in the file of the preferences</source>
        <translation>Ihre eigenen Bereiche sind beschädigt und bleiben, wie sie sind: Berichtigen oder entfernen Sie „own-ranges“ in der Datei der Einstellungen</translation>
    </message>
    <message>
        <source>no own range in this unit is called &apos;%1&apos;; there are: %2</source>
        <translation>kein eigener Bereich in dieser Einheit heißt „%1“; es gibt: %2</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
</context>
<context>
    <name>tof::ui::LayerCommands</name>
    <message>
        <source>0 to 99.9 %</source>
        <translation>0 bis 99.9 %</translation>
    </message>
    <message>
        <source>Display range up to the value that one voxel in a thousand exceeds</source>
        <translation>Anzeigebereich bis zu dem Wert, den ein Voxel von tausend übersteigt</translation>
    </message>
    <message>
        <source>0 to max</source>
        <translation>0 bis Maximum</translation>
    </message>
    <message>
        <source>Display range up to the largest value of the image</source>
        <translation>Anzeigebereich bis zum größten Wert des Bildes</translation>
    </message>
    <message>
        <source>0 to 2 × background</source>
        <translation>0 bis 2 × Untergrund</translation>
    </message>
    <message>
        <source>Display range up to twice the mean of the background ROIs</source>
        <translation>Anzeigebereich bis zum Doppelten des Mittels der Untergrund-ROIs</translation>
    </message>
    <message>
        <source>0 to 5 × background</source>
        <translation>0 bis 5 × Untergrund</translation>
    </message>
    <message>
        <source>Display range up to five times the mean of the background ROIs</source>
        <translation>Anzeigebereich bis zum Fünffachen des Mittels der Untergrund-ROIs</translation>
    </message>
    <message>
        <source>0 to 10 × background</source>
        <translation>0 bis 10 × Untergrund</translation>
    </message>
    <message>
        <source>Display range up to ten times the mean of the background ROIs</source>
        <translation>Anzeigebereich bis zum Zehnfachen des Mittels der Untergrund-ROIs</translation>
    </message>
    <message>
        <source>One range for all runs</source>
        <translation>Ein Bereich für alle Läufe</translation>
    </message>
    <message>
        <source>Range and colour map are those of all images in one unit; off gives each image its own</source>
        <translation>Bereich und Farbtafel gelten für alle Bilder in einer Einheit; aus: jedes Bild hat eigene</translation>
    </message>
    <message>
        <source>Put an image under the others first (G)</source>
        <translation>Zuerst ein Bild unter die anderen legen (G)</translation>
    </message>
    <message>
        <source>Under the other images</source>
        <translation>Unter die anderen Bilder</translation>
    </message>
    <message>
        <source>Keeps the selected image, a mu-map or CT, in the pictures under whichever run is selected; again takes it out</source>
        <translation>Lässt das gewählte Bild, eine mu-Karte oder ein CT, unter jedem gewählten Lauf in den Bildern; noch einmal nimmt es heraus</translation>
    </message>
    <message>
        <source>Upper layer fainter</source>
        <translation>Obere Schicht schwächer</translation>
    </message>
    <message>
        <source>Opacity of the uppermost visible layer, 10 % less</source>
        <translation>Deckkraft der obersten sichtbaren Schicht, 10 % weniger</translation>
    </message>
    <message>
        <source>Upper layer stronger</source>
        <translation>Obere Schicht kräftiger</translation>
    </message>
    <message>
        <source>Opacity of the uppermost visible layer, 10 % more</source>
        <translation>Deckkraft der obersten sichtbaren Schicht, 10 % mehr</translation>
    </message>
    <message>
        <source>Hide the upper layer</source>
        <translation>Obere Schicht verbergen</translation>
    </message>
    <message>
        <source>The last layer alone goes, and comes back: a blink between what lies over each other</source>
        <translation>Nur die letzte Schicht geht und kommt wieder: ein Blinken zwischen dem, was übereinander liegt</translation>
    </message>
    <message>
        <source>Layer up</source>
        <translation>Schicht nach oben</translation>
    </message>
    <message>
        <source>Paints the layer of the selected image over the next one</source>
        <translation>Malt die Schicht des gewählten Bildes über die nächste</translation>
    </message>
    <message>
        <source>The selected image is no layer</source>
        <translation>Das gewählte Bild ist keine Schicht</translation>
    </message>
    <message>
        <source>Layer down</source>
        <translation>Schicht nach unten</translation>
    </message>
    <message>
        <source>Paints the layer of the selected image under the next one</source>
        <translation>Malt die Schicht des gewählten Bildes unter die nächste</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>Auf</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>Ab</translation>
    </message>
    <message>
        <source>True activity</source>
        <translation>Wahre Aktivität</translation>
    </message>
    <message>
        <source>Puts the activity of the simulated phantom beside the runs, with the total of the image on screen</source>
        <translation>Stellt die Aktivität des simulierten Phantoms neben die Läufe, mit der Summe des Bildes auf dem Schirm</translation>
    </message>
    <message>
        <source>True attenuation</source>
        <translation>Wahre Schwächung</translation>
    </message>
    <message>
        <source>Puts the attenuation of the simulated phantom beside the runs, per cm</source>
        <translation>Stellt die Schwächung des simulierten Phantoms neben die Läufe, pro cm</translation>
    </message>
    <message>
        <source>Bias map</source>
        <translation>Bias-Karte</translation>
    </message>
    <message>
        <source>Puts the difference of the image on screen from the truth beside the runs, per cent of the truth</source>
        <translation>Stellt die Abweichung des Bildes auf dem Schirm von der Wahrheit neben die Läufe, in Prozent der Wahrheit</translation>
    </message>
    <message>
        <source>Mean of runs</source>
        <translation>Mittel von Läufen</translation>
    </message>
    <message>
        <source>Puts the mean image of chosen runs, of replicates, beside them</source>
        <translation>Stellt das Mittelbild gewählter Läufe, von Replikaten, daneben</translation>
    </message>
    <message>
        <source>SD of runs</source>
        <translation>SD von Läufen</translation>
    </message>
    <message>
        <source>Puts the voxel-wise SD (n − 1) of chosen runs, of replicates, beside them</source>
        <translation>Stellt die SD (n − 1) Voxel für Voxel gewählter Läufe, von Replikaten, daneben</translation>
    </message>
    <message>
        <source>Runs, by their letters</source>
        <translation>Läufe, nach ihren Buchstaben</translation>
    </message>
    <message>
        <source>Name of layer...</source>
        <translation>Name der Ebene...</translation>
    </message>
    <message>
        <source>A name of its own for the layer of the selected image</source>
        <translation>Ein eigener Name für die Ebene des gewählten Bildes</translation>
    </message>
    <message>
        <source>Colour of layer...</source>
        <translation>Farbe der Ebene...</translation>
    </message>
    <message>
        <source>One colour in the place of the colour map, for the layer of the selected image</source>
        <translation>Eine Farbe anstelle der Farbtafel, für die Ebene des gewählten Bildes</translation>
    </message>
    <message>
        <source>Name of layer</source>
        <translation>Name der Ebene</translation>
    </message>
    <message>
        <source>Empty: that of its image</source>
        <translation>Leer: der ihres Bildes</translation>
    </message>
    <message>
        <source>Colour of layer</source>
        <translation>Farbe der Ebene</translation>
    </message>
</context>
<context>
    <name>tof::ui::LayerModel</name>
    <message>
        <source>There is no image yet</source>
        <translation>Es gibt noch kein Bild</translation>
    </message>
    <message>
        <source>There is no other image to lie over it</source>
        <translation>Es gibt kein anderes Bild, das darüber liegen könnte</translation>
    </message>
    <message>
        <source>Layer %1</source>
        <translation>Schicht %1</translation>
    </message>
    <message>
        <source>Remove layer %1</source>
        <translation>Schicht %1 entfernen</translation>
    </message>
    <message>
        <source>Opacity</source>
        <translation>Deckkraft</translation>
    </message>
    <message>
        <source>Order of layers</source>
        <translation>Reihenfolge der Schichten</translation>
    </message>
    <message>
        <source>Name of layer</source>
        <translation>Name der Ebene</translation>
    </message>
    <message>
        <source>Colour of layer</source>
        <translation>Farbe der Ebene</translation>
    </message>
    <message>
        <source>Show or hide layer</source>
        <translation>Ebene zeigen oder verbergen</translation>
    </message>
</context>
<context>
    <name>tof::ui::LayerRows</name>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Seen in the pictures</source>
        <translation>In den Bildern zu sehen</translation>
    </message>
    <message>
        <source>%1, %2 to %3 %4</source>
        <translation>%1, %2 bis %3 %4</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>verborgen</translation>
    </message>
    <message>
        <source>The run selected of those that are no layers</source>
        <translation>Der gewählte Lauf von denen, die keine Schichten sind</translation>
    </message>
    <message>
        <source>Stays while one goes through the runs</source>
        <translation>Bleibt, während man durch die Läufe geht</translation>
    </message>
    <message>
        <source>not there yet</source>
        <translation>noch nicht da</translation>
    </message>
    <message>
        <source>%1 is seen</source>
        <translation>%1 ist zu sehen</translation>
    </message>
    <message>
        <source>Opacity of %1</source>
        <translation>Deckkraft von %1</translation>
    </message>
    <message>
        <source>Opacity, %1 %</source>
        <translation>Deckkraft, %1 %</translation>
    </message>
    <message>
        <source>Name of layer</source>
        <translation>Name der Ebene</translation>
    </message>
    <message>
        <source>Empty: that of its image</source>
        <translation>Leer: der ihres Bildes</translation>
    </message>
    <message>
        <source>Colour of layer</source>
        <translation>Farbe der Ebene</translation>
    </message>
    <message>
        <source>Name...</source>
        <translation>Name...</translation>
    </message>
    <message>
        <source>Colour...</source>
        <translation>Farbe...</translation>
    </message>
    <message>
        <source>Colour map of its image</source>
        <translation>Farbtafel ihres Bildes</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>Nach unten</translation>
    </message>
</context>
<context>
    <name>tof::ui::LevelStrip</name>
    <message>
        <source>Window and level</source>
        <translation>Fenster: Breite und Lage</translation>
    </message>
    <message>
        <source>Drag a handle to change one end, the middle to move both; double-click for auto</source>
        <translation>Einen Griff ziehen ändert ein Ende, die Mitte beide; Doppelklick für automatisch</translation>
    </message>
</context>
<context>
    <name>tof::ui::LiveTuning</name>
    <message>
        <source>live tuning: %1 iterations; 1 to %2 can be made</source>
        <translation>Live-Abstimmung: %1 Iterationen; möglich sind 1 bis %2</translation>
    </message>
    <message>
        <source>live, %1</source>
        <translation>live, %1</translation>
    </message>
    <message>
        <source>Live tuning: %1</source>
        <translation>Live-Abstimmung: %1</translation>
    </message>
    <message>
        <source>Live tuning waits for run %1</source>
        <translation>Live-Abstimmung wartet auf Lauf %1</translation>
    </message>
    <message>
        <source>Live tuning: preparing</source>
        <translation>Live-Abstimmung: wird vorbereitet</translation>
    </message>
    <message>
        <source>Live tuning: iteration %1 of %2, block %3 of %4</source>
        <translation>Live-Abstimmung: Iteration %1 von %2, Block %3 von %4</translation>
    </message>
    <message>
        <source>Live tuning: %1 iterations of run %2 in %3 s, first image after %4 s</source>
        <translation>Live-Abstimmung: %1 Iterationen von Lauf %2 in %3 s, erstes Bild nach %4 s</translation>
    </message>
    <message>
        <source>Live tuning: change a setting</source>
        <translation>Live-Abstimmung: eine Einstellung ändern</translation>
    </message>
    <message>
        <source>Live tuning: preparing; the picture is still of the settings before</source>
        <translation>Live-Abstimmung: wird vorbereitet; das Bild gehört noch zu den vorigen Einstellungen</translation>
    </message>
    <message>
        <source>Live tuning failed; the picture is of %1: %2</source>
        <translation>Live-Abstimmung fehlgeschlagen; das Bild ist von %1: %2</translation>
    </message>
</context>
<context>
    <name>tof::ui::MadeImages</name>
    <message>
        <source>Two runs with images on the same lattice are needed</source>
        <translation>Zwei Läufe mit Bildern auf demselben Gitter werden gebraucht</translation>
    </message>
    <message>
        <source>There is no image yet</source>
        <translation>Es gibt noch kein Bild</translation>
    </message>
    <message>
        <source>The data do not say what was measured: they come from no simulation</source>
        <translation>Die Daten sagen nicht, was gemessen wurde: sie stammen aus keiner Simulation</translation>
    </message>
    <message>
        <source>there is no run %1</source>
        <translation>es gibt keinen Lauf %1</translation>
    </message>
    <message>
        <source>Making an image</source>
        <translation>Ein Bild wird gemacht</translation>
    </message>
    <message>
        <source>true activity</source>
        <translation>wahre Aktivität</translation>
    </message>
    <message>
        <source>true attenuation</source>
        <translation>wahre Schwächung</translation>
    </message>
    <message>
        <source>bias of %1</source>
        <translation>Bias von %1</translation>
    </message>
    <message>
        <source>mean of %1</source>
        <translation>Mittel von %1</translation>
    </message>
    <message>
        <source>SD of %1</source>
        <translation>SD von %1</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>%1 wird geöffnet</translation>
    </message>
    <message>
        <source>Make %1</source>
        <translation>%1 erzeugen</translation>
    </message>
    <message>
        <source>the width of a filter is between 0.1 and 100 mm</source>
        <translation>die Breite eines Filters liegt zwischen 0,1 und 100 mm</translation>
    </message>
    <message>
        <source>Filtering</source>
        <translation>Filtern</translation>
    </message>
    <message>
        <source>%1, Gauss %2 mm</source>
        <translation>%1, Gauß %2 mm</translation>
    </message>
    <message>
        <source>there is no noise of run %1</source>
        <translation>es gibt kein Rauschen von Lauf %1</translation>
    </message>
    <message>
        <source>run %1 is no noisier than run %2: there is nothing to filter</source>
        <translation>Lauf %1 rauscht nicht stärker als Lauf %2: es gibt nichts zu filtern</translation>
    </message>
    <message>
        <source>Looking for a filter</source>
        <translation>Filter wird gesucht</translation>
    </message>
    <message>
        <source>%1: holds no image any more</source>
        <translation>%1: enthält kein Bild mehr</translation>
    </message>
    <message>
        <source>%1 moved</source>
        <translation>%1 verschoben</translation>
    </message>
    <message>
        <source>%1 as %2</source>
        <translation>%1 als %2</translation>
    </message>
    <message>
        <source>Laying %1 onto %2</source>
        <translation>%1 wird auf %2 gelegt</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>%1 verschieben</translation>
    </message>
</context>
<context>
    <name>tof::ui::MainWindow</name>
    <message>
        <source>Next panel</source>
        <translation>Nächste Leiste</translation>
    </message>
    <message>
        <source>Moves the keys from panel to panel: pictures, figures, study</source>
        <translation>Gibt die Tasten von Leiste zu Leiste: Bilder, Kurven, Studie</translation>
    </message>
    <message>
        <source>Previous panel</source>
        <translation>Vorige Leiste</translation>
    </message>
    <message>
        <source>Moves the keys from panel to panel, the other way round</source>
        <translation>Gibt die Tasten von Leiste zu Leiste, andersherum</translation>
    </message>
    <message>
        <source>%1 (not saved)</source>
        <translation>%1 (nicht gespeichert)</translation>
    </message>
    <message>
        <source>Close Tofscope</source>
        <translation>Tofscope schließen</translation>
    </message>
    <message>
        <source>The last session did not end as it should: File &gt; Reopen last session brings it back</source>
        <translation>Die letzte Sitzung endete nicht, wie sie sollte: „Datei &gt; Letzte Sitzung öffnen“ bringt sie zurück</translation>
    </message>
    <message>
        <source>no runs yet</source>
        <translation>noch keine Läufe</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 Lauf</translation>
    </message>
    <message numerus="yes">
        <source>%n runs</source>
        <translation>
            <numerusform>%n Lauf</numerusform>
            <numerusform>%n Läufe</numerusform>
        </translation>
    </message>
    <message>
        <source>, CRC %1 % at %2 % noise</source>
        <translation>, CRC %1 % bei %2 % Rauschen</translation>
    </message>
</context>
<context>
    <name>tof::ui::MatchedPage</name>
    <message>
        <source>Matched noise</source>
        <translation>Gleiches Rauschen</translation>
    </message>
    <message>
        <source>Noise level, per cent</source>
        <translation>Rauschniveau, Prozent</translation>
    </message>
    <message>
        <source>Noise, SD (n - 1) over mean in the first uniform ROI; of every run the nearest iterate</source>
        <translation>Rauschen, SD (n - 1) durch das Mittel in der ersten gleichförmigen ROI; von jedem Lauf die nächste Iteration</translation>
    </message>
    <message>
        <source>Noise needs a run with an iterate, and an ROI of role uniform</source>
        <translation>Rauschen braucht einen Lauf mit einer Iteration und eine ROI der Rolle „gleichförmig“</translation>
    </message>
    <message>
        <source>stays below %1</source>
        <translation>bleibt unter %1</translation>
    </message>
    <message>
        <source>stays above %1</source>
        <translation>bleibt über %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1 %2, %3</source>
        <translation>%1 %2, %3</translation>
    </message>
    <message>
        <source>iterate %1: noise %2</source>
        <translation>Iteration %1: Rauschen %2</translation>
    </message>
    <message>
        <source>, CRC %1</source>
        <translation>, CRC %1</translation>
    </message>
    <message>
        <source>iterate %1: %2</source>
        <translation>Iteration %1: %2</translation>
    </message>
    <message>
        <source>Reading iterate %1 of run %2</source>
        <translation>Iteration %1 von Lauf %2 wird gelesen</translation>
    </message>
    <message>
        <source>no more than %1 pictures are read from disk</source>
        <translation>mehr als %1 Bilder werden nicht von der Platte gelesen</translation>
    </message>
    <message>
        <source>reading the iterate</source>
        <translation>die Iteration wird gelesen</translation>
    </message>
    <message>
        <source>of every run the iterate whose noise is nearest; one display range</source>
        <translation>je Lauf die Iteration mit dem nächsten Rauschen; ein Wertebereich</translation>
    </message>
</context>
<context>
    <name>tof::ui::Menus</name>
    <message>
        <source>Recent</source>
        <translation>Zuletzt benutzt</translation>
    </message>
    <message>
        <source>Clear list</source>
        <translation>Liste leeren</translation>
    </message>
</context>
<context>
    <name>tof::ui::NumberRow</name>
    <message>
        <source>a number is needed</source>
        <translation>eine Zahl wird gebraucht</translation>
    </message>
</context>
<context>
    <name>tof::ui::ObserverCurves</name>
    <message>
        <source>an observer needs three runs at least of equal settings, each of other data of the same object</source>
        <translation>ein Beobachter braucht mindestens drei Läufe mit gleichen Einstellungen, jeden von anderen Daten desselben Objekts</translation>
    </message>
</context>
<context>
    <name>tof::ui::OpenDialog</name>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>All readable files (*.h5 *.nii *.nii.gz *.hv *.hdr *.cdh *.root *.petsird *.BLF *.safir *.lmDat *.lst *.ptd *.mhd *.mha *.dcm study.json);;All files (*)</source>
        <translation>Alle lesbaren Dateien (*.h5 *.nii *.nii.gz *.hv *.hdr *.cdh *.root *.petsird *.BLF *.safir *.lmDat *.lst *.ptd *.mhd *.mha *.dcm study.json);;Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>tof::ui::Palette</name>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Type what you want to do</source>
        <translation>Eingeben, was getan werden soll</translation>
    </message>
    <message>
        <source>Commands that fit</source>
        <translation>Befehle, die passen</translation>
    </message>
    <message>
        <source>No command has &quot;%1&quot; in its name or description. H lists all keys</source>
        <translation>Kein Befehl hat „%1“ im Namen oder in der Beschreibung. H zeigt alle Tasten</translation>
    </message>
</context>
<context>
    <name>tof::ui::PaneHeader</name>
    <message>
        <source>, slice %1 of %2</source>
        <translation>, Schicht %1 von %2</translation>
    </message>
    <message>
        <source>Transverse</source>
        <translation>Transversal</translation>
    </message>
    <message>
        <source>Coronal</source>
        <translation>Koronal</translation>
    </message>
    <message>
        <source>Sagittal</source>
        <translation>Sagittal</translation>
    </message>
    <message>
        <source>oblique by %1°</source>
        <translation>schräg um %1°</translation>
    </message>
    <message>
        <source>, slab waits</source>
        <translation>, Schicht wartet</translation>
    </message>
</context>
<context>
    <name>tof::ui::PreferenceCommands</name>
    <message>
        <source>Theme, size, orientation, colour map, engine, saving and other habits</source>
        <translation>Farbschema, Größe, Orientierung, Farbtabelle, Engine, Speichern und andere Gewohnheiten</translation>
    </message>
    <message>
        <source>Preferences...</source>
        <translation>Einstellungen ...</translation>
    </message>
</context>
<context>
    <name>tof::ui::PreferencesDialog</name>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Reset to defaults</source>
        <translation>Auf Vorgaben zurück</translation>
    </message>
    <message>
        <source>Every preference as at the first start</source>
        <translation>Jede Einstellung wie beim ersten Start</translation>
    </message>
    <message>
        <source>Takes effect at the next start</source>
        <translation>Wirkt beim nächsten Start</translation>
    </message>
    <message>
        <source>What the settings of the next run begin with</source>
        <translation>Womit die Einstellungen des nächsten Laufs beginnen</translation>
    </message>
    <message>
        <source>%1: takes effect at the next start</source>
        <translation>%1: wirkt beim nächsten Start</translation>
    </message>
</context>
<context>
    <name>tof::ui::ProbeLine</name>
    <message>
        <source>No Bq/ml: %1</source>
        <translation>Keine Bq/ml: %1</translation>
    </message>
    <message>
        <source>Values under the cursor</source>
        <translation>Werte unter dem Cursor</translation>
    </message>
    <message>
        <source>Double-click copies the line</source>
        <translation>Doppelklick kopiert die Zeile</translation>
    </message>
    <message>
        <source>voxel</source>
        <translation>Voxel</translation>
    </message>
</context>
<context>
    <name>tof::ui::ProfileChart</name>
    <message>
        <source>%1: peak of %2 on %3, half its height from %4 to %5 mm</source>
        <translation>%1: Gipfel von %2 auf %3, halbe Höhe von %4 bis %5 mm</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>Profile of the difference</source>
        <translation>Profil der Differenz</translation>
    </message>
    <message>
        <source>all voxels</source>
        <translation>alle Voxel</translation>
    </message>
    <message>
        <source>along the line, %1&#xa0;mm</source>
        <translation>längs der Linie, %1&#xa0;mm</translation>
    </message>
    <message>
        <source>along %1 through the cursor</source>
        <translation>längs %1 durch den Cursor</translation>
    </message>
    <message>
        <source>x, mm</source>
        <translation>x, mm</translation>
    </message>
    <message>
        <source>y, mm</source>
        <translation>y, mm</translation>
    </message>
    <message>
        <source>z, mm</source>
        <translation>z, mm</translation>
    </message>
    <message>
        <source>along the line, mm</source>
        <translation>längs der Linie, mm</translation>
    </message>
    <message>
        <source>FWHM %1&#xa0;mm</source>
        <translation>FWHM %1&#xa0;mm</translation>
    </message>
    <message>
        <source>voxels</source>
        <translation>Voxel</translation>
    </message>
    <message>
        <source>The profile lies outside the image</source>
        <translation>Das Profil liegt außerhalb des Bildes</translation>
    </message>
    <message>
        <source>No peak on the line stands out of its ends by more than the noise</source>
        <translation>Kein Gipfel der Linie ragt um mehr als das Rauschen über ihre Enden</translation>
    </message>
    <message>
        <source>No peak near the cursor stands out of the profile by more than the noise</source>
        <translation>Kein Gipfel beim Cursor ragt um mehr als das Rauschen aus dem Profil</translation>
    </message>
    <message>
        <source>The peak does not fall to half its height on both sides</source>
        <translation>Der Gipfel fällt nicht auf beiden Seiten auf die halbe Höhe</translation>
    </message>
    <message>
        <source>%1: no FWHM. %2</source>
        <translation>%1: keine FWHM. %2</translation>
    </message>
    <message>
        <source>no FWHM</source>
        <translation>keine FWHM</translation>
    </message>
    <message>
        <source>A width is that of an object in an image of activity</source>
        <translation>Eine Breite ist die eines Objekts in einem Bild der Aktivität</translation>
    </message>
</context>
<context>
    <name>tof::ui::RadiusPlot</name>
    <message>
        <source>Radial width against distance from the centre</source>
        <translation>Radiale Breite gegen Abstand von der Mitte</translation>
    </message>
    <message>
        <source>distance from the centre |s|, mm</source>
        <translation>Abstand von der Mitte |s|, mm</translation>
    </message>
    <message>
        <source>radial FWHM, mm</source>
        <translation>radiale FWHM, mm</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>custom</source>
        <translation>eigener</translation>
    </message>
    <message>
        <source>Measured widths come from the file and cannot be dragged</source>
        <translation>Gemessene Breiten kommen aus der Datei und lassen sich nicht ziehen</translation>
    </message>
    <message>
        <source>let go to remove it</source>
        <translation>loslassen, um ihn zu entfernen</translation>
    </message>
</context>
<context>
    <name>tof::ui::RoiCommands</name>
    <message>
        <source>Saving ROIs</source>
        <translation>ROIs werden gesichert</translation>
    </message>
    <message>
        <source>Reading ROIs</source>
        <translation>ROIs werden gelesen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Nothing to undo</source>
        <translation>Nichts rückgängig zu machen</translation>
    </message>
    <message>
        <source>Does again what was undone</source>
        <translation>Macht noch einmal, was zurückgenommen wurde</translation>
    </message>
    <message>
        <source>Nothing to redo</source>
        <translation>Nichts wiederherzustellen</translation>
    </message>
    <message>
        <source>flat, in the slice it is drawn in</source>
        <translation>flach, in der Schicht, in der er gezeichnet wird</translation>
    </message>
    <message>
        <source>flat, axes along the picture&apos;s</source>
        <translation>flach, Achsen längs der des Bildes</translation>
    </message>
    <message>
        <source>flat ring, for backgrounds</source>
        <translation>flacher Ring, für Hintergründe</translation>
    </message>
    <message>
        <source>a click per vertex, a double-click or Return ends it</source>
        <translation>ein Klick je Ecke, Doppelklick oder Eingabetaste beendet es</translation>
    </message>
    <message>
        <source>solid, through all slices</source>
        <translation>Körper, durch alle Schichten</translation>
    </message>
    <message>
        <source>solid, its axis normal to the picture</source>
        <translation>Körper, die Achse senkrecht zum Bild</translation>
    </message>
    <message>
        <source>solid, sides along the axes</source>
        <translation>Körper, Seiten längs der Achsen</translation>
    </message>
    <message>
        <source>%1, drawn with a drag from its centre: %2</source>
        <translation>%1, mit der Maus von der Mitte aus gezeichnet: %2</translation>
    </message>
    <message>
        <source>Open an image first</source>
        <translation>Zuerst ein Bild öffnen</translation>
    </message>
    <message>
        <source>Close polygon</source>
        <translation>Polygon schließen</translation>
    </message>
    <message>
        <source>Ends the polygon that is being drawn, as Return in its picture does</source>
        <translation>Beendet das Polygon, das gezeichnet wird, wie die Eingabetaste in seinem Bild</translation>
    </message>
    <message>
        <source>Take back vertex</source>
        <translation>Ecke zurücknehmen</translation>
    </message>
    <message>
        <source>Of the polygon that is being drawn, as Backspace in its picture does</source>
        <translation>Des Polygons, das gezeichnet wird, wie die Rücktaste in seinem Bild</translation>
    </message>
    <message>
        <source>Delete vertex</source>
        <translation>Ecke löschen</translation>
    </message>
    <message>
        <source>Takes the vertex last touched out of the selected polygon</source>
        <translation>Nimmt die zuletzt berührte Ecke aus dem ausgewählten Polygon</translation>
    </message>
    <message>
        <source>Select an ROI first: click its outline or its row</source>
        <translation>Zuerst eine ROI auswählen: ihren Umriss oder ihre Zeile anklicken</translation>
    </message>
    <message>
        <source>Copy ROI</source>
        <translation>ROI kopieren</translation>
    </message>
    <message>
        <source>Copy all ROIs</source>
        <translation>Alle ROIs kopieren</translation>
    </message>
    <message>
        <source>Puts every ROI of the study on the clipboard, as JSON: for other studies</source>
        <translation>Legt jede ROI der Studie als JSON in die Zwischenablage: für andere Studien</translation>
    </message>
    <message>
        <source>There are no ROIs</source>
        <translation>Es gibt keine ROIs</translation>
    </message>
    <message>
        <source>Paste ROIs</source>
        <translation>ROIs einfügen</translation>
    </message>
    <message>
        <source>Adds the ROIs on the clipboard</source>
        <translation>Fügt die ROIs der Zwischenablage hinzu</translation>
    </message>
    <message>
        <source>Duplicate ROI</source>
        <translation>ROI verdoppeln</translation>
    </message>
    <message>
        <source>A copy of the selected ROI beside it</source>
        <translation>Eine Kopie der ausgewählten ROI daneben</translation>
    </message>
    <message>
        <source>Delete ROI</source>
        <translation>ROI löschen</translation>
    </message>
    <message>
        <source>ROIs</source>
        <translation>ROIs</translation>
    </message>
    <message>
        <source>Move ROI left</source>
        <translation>ROI nach links</translation>
    </message>
    <message>
        <source>Move ROI left a little</source>
        <translation>ROI ein wenig nach links</translation>
    </message>
    <message>
        <source>Move ROI right</source>
        <translation>ROI nach rechts</translation>
    </message>
    <message>
        <source>Move ROI right a little</source>
        <translation>ROI ein wenig nach rechts</translation>
    </message>
    <message>
        <source>Move ROI up</source>
        <translation>ROI nach oben</translation>
    </message>
    <message>
        <source>Move ROI up a little</source>
        <translation>ROI ein wenig nach oben</translation>
    </message>
    <message>
        <source>Move ROI down</source>
        <translation>ROI nach unten</translation>
    </message>
    <message>
        <source>Move ROI down a little</source>
        <translation>ROI ein wenig nach unten</translation>
    </message>
    <message>
        <source>The selected ROI by a tenth of a voxel, in the picture with the frame</source>
        <translation>Die ausgewählte ROI um ein Zehntel Voxel, im Bild mit dem Rahmen</translation>
    </message>
    <message>
        <source>The selected ROI by a voxel, in the picture with the frame</source>
        <translation>Die ausgewählte ROI um ein Voxel, im Bild mit dem Rahmen</translation>
    </message>
    <message>
        <source>Locked</source>
        <translation>Gesperrt</translation>
    </message>
    <message>
        <source>The mouse leaves the selected ROI alone</source>
        <translation>Die Maus lässt die ausgewählte ROI in Ruhe</translation>
    </message>
    <message>
        <source>Role: %1</source>
        <translation>Rolle: %1</translation>
    </message>
    <message>
        <source>A target: its background gives CRC</source>
        <translation>Ein Ziel: mit seinem Hintergrund ergibt sich die CRC</translation>
    </message>
    <message>
        <source>Background of the sphere inside it, else of all that have none of their own</source>
        <translation>Hintergrund der Kugel in ihm, sonst aller, die keinen eigenen haben</translation>
    </message>
    <message>
        <source>Uniform region: noise (the first one), NSR, background of contrast recovery</source>
        <translation>Gleichförmiges Gebiet: Rauschen (das erste), NSR, Hintergrund der Kontrast-Recovery</translation>
    </message>
    <message>
        <source>Measured only</source>
        <translation>Wird nur gemessen</translation>
    </message>
    <message>
        <source>Lock %1</source>
        <translation>%1 sperren</translation>
    </message>
    <message>
        <source>Unlock %1</source>
        <translation>%1 entsperren</translation>
    </message>
    <message>
        <source>Ring of copies...</source>
        <translation>Ring aus Kopien...</translation>
    </message>
    <message>
        <source>Copies of the selected ROI, evenly spread about an axis</source>
        <translation>Kopien der ausgewählten ROI, gleichmäßig um eine Achse verteilt</translation>
    </message>
    <message>
        <source>From threshold...</source>
        <translation>Aus Schwelle...</translation>
    </message>
    <message>
        <source>Connected voxels around the cursor above a share of the largest value there</source>
        <translation>Zusammenhängende Voxel um den Cursor über einem Anteil des größten Wertes dort</translation>
    </message>
    <message>
        <source>Place from phantom</source>
        <translation>Aus dem Phantom setzen</translation>
    </message>
    <message>
        <source>Spheres, their backgrounds and the uniform circle of the phantom, in the place of the ROIs that are there</source>
        <translation>Kugeln, ihre Hintergründe und der gleichförmige Kreis des Phantoms, anstelle der vorhandenen ROIs</translation>
    </message>
    <message>
        <source>Place for contrast recovery</source>
        <translation>Für Kontrast-Recovery setzen</translation>
    </message>
    <message>
        <source>Hot and cold spheres and eight background circles of the phantom, in the place of the ROIs that are there</source>
        <translation>Heiße und kalte Kugeln und acht Hintergrundkreise des Phantoms, anstelle der vorhandenen ROIs</translation>
    </message>
    <message>
        <source>The data name no phantom</source>
        <translation>Die Daten nennen kein Phantom</translation>
    </message>
    <message>
        <source>Open ROIs...</source>
        <translation>ROIs öffnen...</translation>
    </message>
    <message>
        <source>From JSON, or a region per label of a volume, in the place of those that are there</source>
        <translation>Aus JSON oder ein Gebiet je Label eines Volumens, anstelle der vorhandenen</translation>
    </message>
    <message>
        <source>Save ROIs as...</source>
        <translation>ROIs speichern unter...</translation>
    </message>
    <message>
        <source>As JSON, or as a label map on the lattice of the image on screen</source>
        <translation>Als JSON oder als Labelkarte auf dem Gitter des Bildes auf dem Schirm</translation>
    </message>
    <message>
        <source>Save table...</source>
        <translation>Tabelle speichern...</translation>
    </message>
    <message>
        <source>Every ROI with every value, tab separated, below the definitions</source>
        <translation>Jede ROI mit jedem Wert, mit Tabulatoren, unter den Definitionen</translation>
    </message>
    <message>
        <source>Save ROI table</source>
        <translation>ROI-Tabelle speichern</translation>
    </message>
    <message>
        <source>Open ROIs</source>
        <translation>ROIs öffnen</translation>
    </message>
    <message>
        <source>Save ROIs</source>
        <translation>ROIs speichern</translation>
    </message>
    <message>
        <source>Takes back the last change of an ROI, a setting or a name, or of what the kernel lab shows</source>
        <translation>Nimmt die letzte Änderung einer ROI, einer Einstellung, eines Namens oder des Kernlabors zurück</translation>
    </message>
    <message>
        <source>Deletes the selected ROI, and Undo brings it back; the key deletes the selected run where the list of runs was clicked last</source>
        <translation>Löscht die gewählte ROI, „Rückgängig“ bringt sie zurück; die Taste löscht den gewählten Lauf, wenn zuletzt die Liste der Läufe angeklickt wurde</translation>
    </message>
    <message>
        <source>Puts the selected ROI on the clipboard, as JSON: for other studies, too; the key copies the table of all values where that was clicked last</source>
        <translation>Legt die gewählte ROI als JSON in die Zwischenablage, auch für andere Studien; die Taste kopiert die Tabelle aller Werte, wo die zuletzt angeklickt wurde</translation>
    </message>
    <message>
        <source>Contour</source>
        <translation>Kontur</translation>
    </message>
    <message>
        <source>Contour with twice the reach</source>
        <translation>Kontur mit doppelter Reichweite</translation>
    </message>
    <message>
        <source>Draws the last contour again, twice as far from where the cursor was</source>
        <translation>Zeichnet die letzte Kontur noch einmal, doppelt so weit vom damaligen Ort des Cursors</translation>
    </message>
    <message>
        <source>No contour has ended at its reach</source>
        <translation>Keine Kontur hat an ihrer Reichweite geendet</translation>
    </message>
    <message>
        <source>%1 was cut %2 mm from the cursor, and the image goes on above its level: ROIs &gt; Contour in 3-D &gt; Contour with twice the reach looks farther</source>
        <translation>%1 wurde %2 mm vom Cursor abgeschnitten, und das Bild geht über ihrem Pegel weiter: ROIs &gt; Kontur in 3-D &gt; Kontur mit doppelter Reichweite sucht weiter</translation>
    </message>
    <message>
        <source>Body weight and dose are not known: Tools &gt; SUV</source>
        <translation>Körpergewicht und Aktivität sind nicht bekannt: Werkzeuge &gt; SUV</translation>
    </message>
    <message>
        <source>No ROI is called liver: draw a sphere of 30 mm there</source>
        <translation>Keine ROI heißt liver: dort eine Kugel von 30 mm zeichnen</translation>
    </message>
    <message>
        <source>Brush</source>
        <translation>Pinsel</translation>
    </message>
    <message>
        <source>A drag paints voxels of a ball into the selected region, or into a new one; with Alt or Ctrl it takes them out</source>
        <translation>Ziehen malt die Voxel einer Kugel in die gewählte Region oder in eine neue; mit Alt oder Strg nimmt es sie heraus</translation>
    </message>
    <message>
        <source>Size of the brush...</source>
        <translation>Größe des Pinsels...</translation>
    </message>
    <message>
        <source>Size of the brush</source>
        <translation>Größe des Pinsels</translation>
    </message>
    <message>
        <source>Radius of the ball that the brush paints with, mm</source>
        <translation>Radius der Kugel, mit der der Pinsel malt, mm</translation>
    </message>
    <message>
        <source>Radius in mm</source>
        <translation>Radius in mm</translation>
    </message>
</context>
<context>
    <name>tof::ui::RoiEditor</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Name, as in tables and files</source>
        <translation>Name, wie in Tabellen und Dateien</translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation>%1 umbenennen</translation>
    </message>
    <message>
        <source>an ROI needs a name</source>
        <translation>eine ROI braucht einen Namen</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>sphere</source>
        <translation>Kugel</translation>
    </message>
    <message>
        <source>background</source>
        <translation>Hintergrund</translation>
    </message>
    <message>
        <source>uniform</source>
        <translation>gleichförmig</translation>
    </message>
    <message>
        <source>What it is measured for: a sphere and the backgrounds of its group give CRC; uniform regions give noise (the first one), NSR and the background of contrast recovery</source>
        <translation>Wofür sie gemessen wird: eine Kugel und die Hintergründe ihrer Gruppe ergeben die CRC; gleichförmige Gebiete ergeben Rauschen (das erste), NSR und den Hintergrund der Kontrast-Recovery</translation>
    </message>
    <message>
        <source>Set role of %1</source>
        <translation>Rolle von %1 setzen</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Number that a sphere and its backgrounds share; empty: none</source>
        <translation>Nummer, die eine Kugel und ihre Hintergründe teilen; leer: keine</translation>
    </message>
    <message>
        <source>Set group of %1</source>
        <translation>Gruppe von %1 setzen</translation>
    </message>
    <message>
        <source>a group is a whole number from 0 to 1000000, or empty</source>
        <translation>eine Gruppe ist eine ganze Zahl von 0 bis 1000000 oder leer</translation>
    </message>
    <message>
        <source>group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Role, group</source>
        <translation>Rolle, Gruppe</translation>
    </message>
    <message>
        <source>Centre %1</source>
        <translation>Mitte %1</translation>
    </message>
    <message>
        <source>Centre along %1, mm</source>
        <translation>Mitte längs %1, mm</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>%1 bewegen</translation>
    </message>
    <message>
        <source>Centre, mm</source>
        <translation>Mitte, mm</translation>
    </message>
    <message>
        <source>a number is needed</source>
        <translation>eine Zahl wird gebraucht</translation>
    </message>
    <message>
        <source>Radius</source>
        <translation>Radius</translation>
    </message>
    <message>
        <source>Radius, mm; of an annulus the outer one</source>
        <translation>Radius, mm; bei einem Ring der äußere</translation>
    </message>
    <message>
        <source>Resize %1</source>
        <translation>Größe von %1 ändern</translation>
    </message>
    <message>
        <source>Radius, mm</source>
        <translation>Radius, mm</translation>
    </message>
    <message>
        <source>Inner radius</source>
        <translation>Innenradius</translation>
    </message>
    <message>
        <source>Radius of the hole, mm</source>
        <translation>Radius des Lochs, mm</translation>
    </message>
    <message>
        <source>Inner, mm</source>
        <translation>Innen, mm</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>Length along the axis, mm</source>
        <translation>Länge längs der Achse, mm</translation>
    </message>
    <message>
        <source>Length, mm</source>
        <translation>Länge, mm</translation>
    </message>
    <message>
        <source>Size along %1</source>
        <translation>Größe längs %1</translation>
    </message>
    <message>
        <source>Full extent along %1, mm</source>
        <translation>Ganze Ausdehnung längs %1, mm</translation>
    </message>
    <message>
        <source>Size, mm</source>
        <translation>Größe, mm</translation>
    </message>
    <message>
        <source>Angle</source>
        <translation>Winkel</translation>
    </message>
    <message>
        <source>Turn about the normal of the plane it was drawn in, degrees, -360 to 360; for ellipses and boxes</source>
        <translation>Drehung um die Normale der Ebene, in der gezeichnet wurde, Grad, -360 bis 360; für Ellipsen und Quader</translation>
    </message>
    <message>
        <source>Turn %1</source>
        <translation>%1 drehen</translation>
    </message>
    <message>
        <source>Angle, °</source>
        <translation>Winkel, °</translation>
    </message>
    <message>
        <source>Plane</source>
        <translation>Ebene</translation>
    </message>
    <message>
        <source>transverse</source>
        <translation>transversal</translation>
    </message>
    <message>
        <source>coronal</source>
        <translation>koronal</translation>
    </message>
    <message>
        <source>sagittal</source>
        <translation>sagittal</translation>
    </message>
    <message>
        <source>Plane of a flat ROI; a cylinder&apos;s axis, and the axis a box is turned about, is normal to it</source>
        <translation>Ebene einer flachen ROI; die Achse eines Zylinders und die Drehachse eines Quaders stehen senkrecht darauf</translation>
    </message>
    <message>
        <source>a polygon stays in the plane it was drawn in</source>
        <translation>ein Polygon bleibt in der Ebene, in der es gezeichnet wurde</translation>
    </message>
    <message>
        <source>True ratio of this sphere</source>
        <translation>Wahres Verhältnis dieser Kugel</translation>
    </message>
    <message>
        <source>True activity ratio of this sphere to its background; empty: that of the study</source>
        <translation>Wahres Aktivitätsverhältnis dieser Kugel zu ihrem Hintergrund; leer: das der Studie</translation>
    </message>
    <message>
        <source>Set true ratio of %1</source>
        <translation>Wahres Verhältnis von %1 setzen</translation>
    </message>
    <message>
        <source>a ratio is a number from 0, or empty</source>
        <translation>ein Verhältnis ist eine Zahl ab 0 oder leer</translation>
    </message>
    <message>
        <source>True ratio of the study</source>
        <translation>Wahres Verhältnis der Studie</translation>
    </message>
    <message>
        <source>True activity ratio of the study&apos;s spheres to their background; 0: not known</source>
        <translation>Wahres Aktivitätsverhältnis der Kugeln der Studie zu ihrem Hintergrund; 0: unbekannt</translation>
    </message>
    <message>
        <source>True ratio</source>
        <translation>Wahres Verhältnis</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>Colour of the outline; the selected ROI is white</source>
        <translation>Farbe des Umrisses; die ausgewählte ROI ist weiß</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Linie</translation>
    </message>
    <message>
        <source>by role</source>
        <translation>nach Rolle</translation>
    </message>
    <message>
        <source>solid</source>
        <translation>durchgezogen</translation>
    </message>
    <message>
        <source>dashed</source>
        <translation>gestrichelt</translation>
    </message>
    <message>
        <source>dotted</source>
        <translation>gepunktet</translation>
    </message>
    <message>
        <source>Line of the outline; by role: backgrounds are dashed, uniform ones dotted</source>
        <translation>Linie des Umrisses; nach Rolle: Hintergründe sind gestrichelt, gleichförmige gepunktet</translation>
    </message>
    <message>
        <source>Set line of %1</source>
        <translation>Linie von %1 setzen</translation>
    </message>
    <message>
        <source>Line, colour</source>
        <translation>Linie, Farbe</translation>
    </message>
    <message>
        <source>Locked</source>
        <translation>Gesperrt</translation>
    </message>
    <message>
        <source>The mouse leaves it alone</source>
        <translation>Die Maus lässt sie in Ruhe</translation>
    </message>
    <message>
        <source>Lock %1</source>
        <translation>%1 sperren</translation>
    </message>
    <message>
        <source>Unlock %1</source>
        <translation>%1 entsperren</translation>
    </message>
    <message>
        <source>Colour of the outline</source>
        <translation>Farbe des Umrisses</translation>
    </message>
    <message>
        <source>Set colour of %1</source>
        <translation>Farbe von %1 setzen</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>unbekannt</translation>
    </message>
</context>
<context>
    <name>tof::ui::RoiModel</name>
    <message>
        <source>Delete %1</source>
        <translation>%1 löschen</translation>
    </message>
    <message>
        <source>Set true ratio</source>
        <translation>Wahres Verhältnis setzen</translation>
    </message>
    <message>
        <source>Duplicate %1</source>
        <translation>%1 verdoppeln</translation>
    </message>
</context>
<context>
    <name>tof::ui::RoiTable</name>
    <message>
        <source>All values of all regions of interest</source>
        <translation>Alle Werte aller interessierenden Gebiete (ROIs)</translation>
    </message>
    <message>
        <source>ROI</source>
        <translation>ROI</translation>
    </message>
    <message>
        <source>shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>A click sorts</source>
        <translation>Ein Klick sortiert</translation>
    </message>
    <message>
        <source>There is no image yet</source>
        <translation>Es gibt noch kein Bild</translation>
    </message>
    <message>
        <source>CRC %1 (SD %2)</source>
        <translation>CRC %1 (SD %2)</translation>
    </message>
    <message>
        <source>CRC %1</source>
        <translation>CRC %1</translation>
    </message>
    <message>
        <source>noise %1</source>
        <translation>Rauschen %1</translation>
    </message>
    <message>
        <source>NSR %1</source>
        <translation>NSR %1</translation>
    </message>
    <message>
        <source>values in %1</source>
        <translation>Werte in %1</translation>
    </message>
    <message>
        <source>SD (n − 1); voxels by fraction inside</source>
        <translation>SD (n − 1); Voxel nach innerem Anteil</translation>
    </message>
</context>
<context>
    <name>tof::ui::RunCommands</name>
    <message>
        <source>No run is going on</source>
        <translation>Kein Lauf ist im Gang</translation>
    </message>
    <message>
        <source>Pause the run first (F6)</source>
        <translation>Zuerst den Lauf anhalten (F6)</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Reconstructs the open data with the settings at the left, beside the runs that are there</source>
        <translation>Rekonstruiert die offenen Daten mit den Einstellungen links, neben den vorhandenen Läufen</translation>
    </message>
    <message>
        <source>Live tuning</source>
        <translation>Live-Abstimmung</translation>
    </message>
    <message>
        <source>Reconstructs the open data for a few iterations at every change of a setting</source>
        <translation>Rekonstruiert die offenen Daten bei jeder Änderung einer Einstellung für einige Iterationen</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Does one block and pauses again</source>
        <translation>Rechnet einen Block und hält wieder an</translation>
    </message>
    <message>
        <source>Step to the end of the iteration</source>
        <translation>Schritt bis Iterationsende</translation>
    </message>
    <message>
        <source>Finishes the iteration and pauses again</source>
        <translation>Beendet die Iteration und hält wieder an</translation>
    </message>
    <message>
        <source>Finish now</source>
        <translation>Jetzt beenden</translation>
    </message>
    <message>
        <source>Ends the run and keeps its last whole iterate; or the list that is followed, and keeps its counts</source>
        <translation>Beendet den Lauf und behält seine letzte ganze Iteration; oder die Liste, die verfolgt wird, und behält ihre Zählungen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>There is no iterate yet</source>
        <translation>Es gibt noch keine Iteration</translation>
    </message>
    <message>
        <source>Previous iterate</source>
        <translation>Vorige Iteration</translation>
    </message>
    <message>
        <source>Next iterate</source>
        <translation>Nächste Iteration</translation>
    </message>
    <message>
        <source>Previous run</source>
        <translation>Voriger Lauf</translation>
    </message>
    <message>
        <source>Selects the run above</source>
        <translation>Wählt den Lauf darüber</translation>
    </message>
    <message>
        <source>Next run</source>
        <translation>Nächster Lauf</translation>
    </message>
    <message>
        <source>Selects the run below</source>
        <translation>Wählt den Lauf darunter</translation>
    </message>
    <message>
        <source>No run is selected</source>
        <translation>Kein Lauf ist ausgewählt</translation>
    </message>
    <message>
        <source>A volume has no settings</source>
        <translation>Ein Volumen hat keine Einstellungen</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Goes on with a run that has ended, for more iterations, or that was interrupted</source>
        <translation>Setzt einen beendeten Lauf um weitere Iterationen oder einen unterbrochenen fort</translation>
    </message>
    <message>
        <source>Duplicate with changes</source>
        <translation>Mit Änderungen verdoppeln</translation>
    </message>
    <message>
        <source>Queues a run with the settings of the selected one and what you change of them</source>
        <translation>Stellt einen Lauf mit den Einstellungen des ausgewählten und den Änderungen daran an</translation>
    </message>
    <message>
        <source>Start queue</source>
        <translation>Schlange starten</translation>
    </message>
    <message>
        <source>Begins with the runs that wait to be started, in their order</source>
        <translation>Beginnt der Reihe nach mit den Läufen, die auf den Start warten</translation>
    </message>
    <message>
        <source>Clear queue</source>
        <translation>Schlange leeren</translation>
    </message>
    <message>
        <source>Takes every run that waits out of the queue</source>
        <translation>Nimmt jeden wartenden Lauf aus der Schlange</translation>
    </message>
    <message>
        <source>No run waits</source>
        <translation>Kein Lauf wartet</translation>
    </message>
    <message>
        <source>Earlier in the queue</source>
        <translation>Früher in der Schlange</translation>
    </message>
    <message>
        <source>The selected run waits for one run less</source>
        <translation>Der ausgewählte Lauf wartet auf einen Lauf weniger</translation>
    </message>
    <message>
        <source>Later in the queue</source>
        <translation>Später in der Schlange</translation>
    </message>
    <message>
        <source>The selected run waits for one run more</source>
        <translation>Der ausgewählte Lauf wartet auf einen Lauf mehr</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Gives the selected run or volume another name; its letter stays</source>
        <translation>Gibt dem ausgewählten Lauf oder Volumen einen anderen Namen; sein Buchstabe bleibt</translation>
    </message>
    <message>
        <source>Delete run</source>
        <translation>Lauf löschen</translation>
    </message>
    <message>
        <source>Cancel the run first</source>
        <translation>Zuerst den Lauf abbrechen</translation>
    </message>
    <message>
        <source>Duplicate run %1</source>
        <translation>Lauf %1 verdoppeln</translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation>%1 umbenennen</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Cancel run %1</source>
        <translation>Lauf %1 abbrechen</translation>
    </message>
    <message>
        <source>Give up %1 of work? &quot;Finish now&quot; would keep the last whole iterate.</source>
        <translation>Arbeit von %1 aufgeben? „Jetzt beenden“ würde die letzte ganze Iteration behalten.</translation>
    </message>
    <message>
        <source>Cancel the run</source>
        <translation>Lauf abbrechen</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>The selected run does not wait</source>
        <translation>Der ausgewählte Lauf wartet nicht</translation>
    </message>
    <message>
        <source>It is the next one</source>
        <translation>Er ist der nächste</translation>
    </message>
    <message>
        <source>It is the last one</source>
        <translation>Er ist der letzte</translation>
    </message>
    <message>
        <source>Continue run %1</source>
        <translation>Lauf %1 fortsetzen</translation>
    </message>
    <message>
        <source>Iterations beyond the %1 there are</source>
        <translation>Iterationen über die vorhandenen %1 hinaus</translation>
    </message>
    <message>
        <source>Anatomy of the next run</source>
        <translation>Anatomie des nächsten Laufs</translation>
    </message>
    <message>
        <source>The selected image says which neighbours the prior of the next run takes for alike: a CT, an MR or labels on the lattice of the reconstruction; again takes it away</source>
        <translation>Das gewählte Bild sagt, welche Nachbarn der Prior des nächsten Laufs für gleich hält: ein CT, ein MR oder Label auf dem Gitter der Rekonstruktion; noch einmal nimmt es weg</translation>
    </message>
    <message>
        <source>No image is selected that was opened</source>
        <translation>Kein geöffnetes Bild ist gewählt</translation>
    </message>
    <message>
        <source>The image is in no file: export it, and open that</source>
        <translation>Das Bild steht in keiner Datei: erst exportieren und das Exportierte öffnen</translation>
    </message>
    <message>
        <source>The algorithm of the next run goes by no anatomy</source>
        <translation>Der Algorithmus des nächsten Laufs richtet sich nach keiner Anatomie</translation>
    </message>
    <message>
        <source>Show the prior</source>
        <translation>Prior zeigen</translation>
    </message>
    <message>
        <source>Puts images of the selected run&apos;s prior into the list: where it pulls, and its strength</source>
        <translation>Legt Bilder des Priors des gewählten Laufs in die Liste: wo er zieht, und seine Stärke</translation>
    </message>
    <message>
        <source>The run has no prior</source>
        <translation>Der Lauf hat keinen Prior</translation>
    </message>
    <message>
        <source>The run has to end first</source>
        <translation>Der Lauf muss erst enden</translation>
    </message>
    <message>
        <source>pull of the prior of %1</source>
        <translation>Zug des Priors von %1</translation>
    </message>
    <message>
        <source>strength of the prior of %1</source>
        <translation>Stärke des Priors von %1</translation>
    </message>
    <message>
        <source>Keep image beside the runs</source>
        <translation>Bild neben den Läufen behalten</translation>
    </message>
    <message>
        <source>Puts the iterate on screen into the list as a volume of its own, to be compared with others</source>
        <translation>Legt die Iteration auf dem Schirm als eigenes Volumen in die Liste, um sie mit anderen zu vergleichen</translation>
    </message>
    <message>
        <source>No image is on screen</source>
        <translation>Es ist kein Bild auf dem Schirm</translation>
    </message>
    <message>
        <source>Take out of the queue: %1? What a run had before it was to go on stays.</source>
        <translation>Aus der Schlange nehmen: %1? Was ein Lauf hatte, bevor er fortgesetzt werden sollte, bleibt.</translation>
    </message>
    <message>
        <source>Nothing is going on</source>
        <translation>Es läuft nichts</translation>
    </message>
    <message>
        <source>Stops at the next block boundary; again goes on. Without a run: what is being simulated, binned or opened</source>
        <translation>Hält an der nächsten Blockgrenze; noch einmal macht weiter. Ohne Lauf: was gerade simuliert, sortiert oder geöffnet wird</translation>
    </message>
    <message>
        <source>Ends the run and writes nothing of it; those that wait stay, and are not started. Without a run: ends what is being simulated, binned or opened</source>
        <translation>Beendet den Lauf und schreibt nichts davon; was wartet, bleibt und beginnt nicht. Ohne Lauf: beendet, was gerade simuliert, sortiert oder geöffnet wird</translation>
    </message>
    <message>
        <source>Sweep...</source>
        <translation>Reihe ...</translation>
    </message>
    <message>
        <source>Fills the queue with a run for each of several kernels, relaxations and iterations</source>
        <translation>Füllt die Schlange mit einem Lauf für jeden von mehreren Kernen, Relaxationen und Iterationszahlen</translation>
    </message>
    <message>
        <source>Removes the selected run from the list, and its file from the study; Undo brings it back until the study is closed</source>
        <translation>Entfernt den gewählten Lauf aus der Liste und seine Datei aus der Studie; „Rückgängig“ bringt ihn zurück, solange die Studie offen ist</translation>
    </message>
    <message>
        <source>Run with replicates</source>
        <translation>Lauf mit Wiederholungen</translation>
    </message>
    <message>
        <source>Reconstructions of resampled counts, beside that of the counts themselves</source>
        <translation>Rekonstruktionen neu gezogener Zählwerte neben der der Zählwerte selbst</translation>
    </message>
    <message>
        <source>Run with replicates...</source>
        <translation>Lauf mit Wiederholungen...</translation>
    </message>
    <message>
        <source>Reconstructs resamplings of the counts, too: bands on the curves, mean and SD images</source>
        <translation>Rekonstruiert auch neu gezogene Zählwerte: Bänder an den Kurven, Mittel- und SD-Bilder</translation>
    </message>
    <message>
        <source>Shows the iterate before the one on screen, or the frame</source>
        <translation>Zeigt die Iteration vor der gezeigten, oder das Zeitbild</translation>
    </message>
    <message>
        <source>Shows the next iterate, or frame; past a run&apos;s last one the picture follows it again</source>
        <translation>Zeigt die nächste Iteration oder das nächste Zeitbild; nach der letzten eines Laufs folgt das Bild ihm wieder</translation>
    </message>
</context>
<context>
    <name>tof::ui::RunQueue</name>
    <message>
        <source>Counts of histo-images alone are resampled; open list-mode as histo-images</source>
        <translation>Nur Zählwerte von Histo-Bildern werden neu gezogen; Listenmodus als Histo-Bilder öffnen</translation>
    </message>
    <message>
        <source>The data of the study are not read yet</source>
        <translation>Die Daten der Studie sind noch nicht gelesen</translation>
    </message>
    <message>
        <source>Open a study, data or list-mode first</source>
        <translation>Zuerst eine Studie, Daten oder List-Mode öffnen</translation>
    </message>
    <message>
        <source>Run %1: %2</source>
        <translation>Lauf %1: %2</translation>
    </message>
    <message>
        <source>Open the data that the run was made from first</source>
        <translation>Zuerst die Daten öffnen, aus denen der Lauf gemacht wurde</translation>
    </message>
    <message>
        <source>A volume has no iterations</source>
        <translation>Ein Volumen hat keine Iterationen</translation>
    </message>
    <message>
        <source>Live tuning rewrites this run; Run (F5) makes one of its settings</source>
        <translation>Die Live-Abstimmung überschreibt diesen Lauf; Start (F5) macht einen mit seinen Einstellungen</translation>
    </message>
    <message>
        <source>The run has not ended yet</source>
        <translation>Der Lauf ist noch nicht beendet</translation>
    </message>
    <message>
        <source>Another program is at work on the run</source>
        <translation>Ein anderes Programm arbeitet an dem Lauf</translation>
    </message>
    <message>
        <source>The run has no whole iterate</source>
        <translation>Der Lauf hat keine ganze Iteration</translation>
    </message>
    <message>
        <source>The run is on another lattice than the open data</source>
        <translation>Der Lauf liegt auf einem anderen Gitter als die offenen Daten</translation>
    </message>
    <message>
        <source>there is no such run</source>
        <translation>so einen Lauf gibt es nicht</translation>
    </message>
    <message>
        <source>run cannot be continued: %1</source>
        <translation>Lauf kann nicht fortgesetzt werden: %1</translation>
    </message>
    <message>
        <source>run %1 has all of its iterations; say how many more</source>
        <translation>Lauf %1 hat alle seine Iterationen; sagen, wie viele mehr</translation>
    </message>
    <message>
        <source>No run waits to be started</source>
        <translation>Kein Lauf wartet auf den Start</translation>
    </message>
    <message>
        <source>In the queue of the study, not started: %1. Run &gt; Start queue begins with them</source>
        <translation>In der Schlange der Studie, nicht gestartet: %1. „Lauf &gt; Schlange starten“ beginnt mit ihnen</translation>
    </message>
    <message>
        <source>Run %1 is back in the list, but not all of its files</source>
        <translation>Lauf %1 ist wieder in der Liste, aber nicht alle seine Dateien</translation>
    </message>
</context>
<context>
    <name>tof::ui::RunRescue</name>
    <message>
        <source>No runs of an earlier session are kept</source>
        <translation>Keine Läufe einer früheren Sitzung sind aufbewahrt</translation>
    </message>
    <message>
        <source>Recovering runs</source>
        <translation>Läufe werden gerettet</translation>
    </message>
    <message>
        <source>Run %1 was made from other data than %2 has now; it stays on disk</source>
        <translation>Lauf %1 wurde aus anderen Daten gemacht, als %2 jetzt hat; er bleibt auf der Platte</translation>
    </message>
    <message>
        <source>1 run of %1 is kept on disk: File &gt; Recover runs brings it back</source>
        <translation>1 Lauf von %1 liegt auf der Platte: „Datei &gt; Läufe retten“ bringt ihn zurück</translation>
    </message>
    <message numerus="yes">
        <source>%n runs of %1 are kept on disk: File &gt; Recover runs brings them back</source>
        <translation>
            <numerusform>%n Lauf von %1 liegt auf der Platte: „Datei &gt; Läufe retten“ bringt ihn zurück</numerusform>
            <numerusform>%n Läufe von %1 liegen auf der Platte: „Datei &gt; Läufe retten“ bringt sie zurück</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tof::ui::RunRows</name>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>queued, next</source>
        <translation>wartet, als nächster</translation>
    </message>
    <message>
        <source>queued, number %1</source>
        <translation>wartet, Nummer %1</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>startet</translation>
    </message>
    <message>
        <source>preparing</source>
        <translation>wird vorbereitet</translation>
    </message>
    <message>
        <source>paused, %1</source>
        <translation>angehalten, %1</translation>
    </message>
    <message>
        <source>%1 done</source>
        <translation>%1 fertig</translation>
    </message>
    <message>
        <source>%1 kept</source>
        <translation>%1 behalten</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>failed, %1</source>
        <translation>fehlgeschlagen, %1</translation>
    </message>
    <message>
        <source>in work elsewhere, %1</source>
        <translation>anderswo in Arbeit, %1</translation>
    </message>
    <message>
        <source>interrupted, %1</source>
        <translation>unterbrochen, %1</translation>
    </message>
    <message>
        <source>none yet: press Run (F5)</source>
        <translation>noch keiner: Start (F5) drücken</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>noch keiner</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>settings changed</source>
        <translation>Einstellungen geändert</translation>
    </message>
    <message>
        <source>The next run has other settings:</source>
        <translation>Der nächste Lauf hat andere Einstellungen:</translation>
    </message>
    <message>
        <source>default</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>%1: %2 here, %3 next</source>
        <translation>%1: hier %2, nächster %3</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>nicht gestartet</translation>
    </message>
    <message>
        <source>number %1, %2</source>
        <translation>Nummer %1, %2</translation>
    </message>
    <message numerus="yes">
        <source>%n frames</source>
        <translation>
            <numerusform>%n Zeitbild</numerusform>
            <numerusform>%n Zeitbilder</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tof::ui::Screen</name>
    <message>
        <source>Bq/ml by calibration are switched off: Tools &gt; Values in Bq/ml</source>
        <translation>Bq/ml durch Kalibrierung sind ausgeschaltet: Werkzeuge &gt; Werte in Bq/ml</translation>
    </message>
    <message>
        <source>Its file does not say in which unit its values are</source>
        <translation>Seine Datei sagt nicht, in welcher Einheit seine Werte sind</translation>
    </message>
    <message>
        <source>Reading iterate %1</source>
        <translation>Iteration %1 wird gelesen</translation>
    </message>
    <message>
        <source>Reading frame %1</source>
        <translation>Zeitbild %1 wird gelesen</translation>
    </message>
</context>
<context>
    <name>tof::ui::Sessions</name>
    <message>
        <source>The study&apos;s view and settings were not saved: %1</source>
        <translation>Ansicht und Einstellungen der Studie wurden nicht gespeichert: %1</translation>
    </message>
    <message>
        <source>Of the last session: %1</source>
        <translation>Von der letzten Sitzung: %1</translation>
    </message>
</context>
<context>
    <name>tof::ui::SettingField</name>
    <message>
        <source>%1 to %2 %3</source>
        <translation>%1 bis %2 %3</translation>
    </message>
</context>
<context>
    <name>tof::ui::SlicePane</name>
    <message>
        <source>azimuth</source>
        <translation>Azimut</translation>
    </message>
    <message>
        <source>Transverse</source>
        <translation>Transversal</translation>
    </message>
    <message>
        <source>Coronal</source>
        <translation>Koronal</translation>
    </message>
    <message>
        <source>Sagittal</source>
        <translation>Sagittal</translation>
    </message>
    <message>
        <source>%1 picture</source>
        <translation>%1, Bild</translation>
    </message>
    <message>
        <source>no image: the run failed</source>
        <translation>kein Bild: der Lauf ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>first image on its way</source>
        <translation>erstes Bild kommt gleich</translation>
    </message>
    <message>
        <source>press Run (F5) to reconstruct the data</source>
        <translation>Start (F5) rekonstruiert die Daten</translation>
    </message>
    <message>
        <source>the data of the study are being read</source>
        <translation>die Daten der Studie werden gelesen</translation>
    </message>
    <message>
        <source>radiological</source>
        <translation>radiologisch</translation>
    </message>
    <message>
        <source>neurological</source>
        <translation>neurologisch</translation>
    </message>
    <message>
        <source>Turn the planes</source>
        <translation>Ebenen drehen</translation>
    </message>
</context>
<context>
    <name>tof::ui::SolidPane</name>
    <message>
        <source>voxels averaged by %1 along every edge</source>
        <translation>Voxel längs jeder Kante zu %1 gemittelt</translation>
    </message>
    <message>
        <source>The surface is on its way: OpenGL starts</source>
        <translation>Die Oberfläche ist unterwegs: OpenGL startet</translation>
    </message>
</context>
<context>
    <name>tof::ui::SphereTable</name>
    <message>
        <source>Regions of interest</source>
        <translation>Interessierende Gebiete (ROIs)</translation>
    </message>
    <message>
        <source>ROI</source>
        <translation>ROI</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>SD, %</source>
        <translation>SD, %</translation>
    </message>
    <message>
        <source>CRC, %</source>
        <translation>CRC, %</translation>
    </message>
    <message>
        <source>Mean, pixels counted by the fraction of them inside</source>
        <translation>Mittel; Pixel zählen mit ihrem inneren Anteil</translation>
    </message>
    <message>
        <source>SD (n - 1, n the sum of fractions) over the mean</source>
        <translation>SD (n - 1, n ist die Summe der Anteile) durch das Mittel</translation>
    </message>
    <message>
        <source>((mean - background mean) / background mean) / (true ratio - 1)</source>
        <translation>((Mittel - Mittel des Hintergrunds) / Mittel des Hintergrunds) / (wahres Verhältnis - 1)</translation>
    </message>
    <message>
        <source>%1 % of it lie outside the image and are left out</source>
        <translation>%1 % davon liegen außerhalb des Bildes und zählen nicht mit</translation>
    </message>
    <message>
        <source>mean of %1</source>
        <translation>Mittel von %1</translation>
    </message>
    <message>
        <source>No sphere has a CRC</source>
        <translation>Keine Kugel hat eine CRC</translation>
    </message>
    <message>
        <source>backgrounds</source>
        <translation>Untergründe</translation>
    </message>
    <message>
        <source>The backgrounds of single spheres and their mean; a click or Return unfolds them</source>
        <translation>Die Untergründe der einzelnen Kugeln und ihr Mittel; ein Klick oder die Eingabetaste klappt sie auf</translation>
    </message>
</context>
<context>
    <name>tof::ui::StageBars</name>
    <message>
        <source>Seconds per iteration of each stage</source>
        <translation>Sekunden je Iteration für jede Stufe</translation>
    </message>
    <message>
        <source>total</source>
        <translation>gesamt</translation>
    </message>
    <message>
        <source>ratio</source>
        <translation>Verhältnis</translation>
    </message>
    <message>
        <source>Mean seconds per iteration. Forward: the image projected; ratio: measured over expected counts; back: that projected back; update: the step of the image; upload and download: copies to and from the device</source>
        <translation>Mittlere Sekunden je Iteration. Vorwärts: das Bild projiziert; Verhältnis: gemessene durch erwartete Zählwerte; zurück: dieses zurückprojiziert; Änderung: der Schritt des Bildes; Hinweg und Rückweg: Kopien zum und vom Gerät</translation>
    </message>
</context>
<context>
    <name>tof::ui::StartPage</name>
    <message>
        <source>Start with a study</source>
        <translation>Mit einer Studie beginnen</translation>
    </message>
    <message>
        <source>A study is a folder with events or projections, your ROIs and every run made from them.</source>
        <translation>Eine Studie ist ein Ordner mit Ereignissen oder Projektionen, Ihren ROIs und jedem Lauf daraus.</translation>
    </message>
    <message>
        <source>Drop a study, list-mode, data, run or volume file here</source>
        <translation>Studie, List-Mode, Daten, Lauf oder Volumen hierher ziehen</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen…</translation>
    </message>
    <message>
        <source>Demo study: six spheres</source>
        <translation>Demostudie: sechs Kugeln</translation>
    </message>
    <message>
        <source>Open demo</source>
        <translation>Demo öffnen</translation>
    </message>
    <message>
        <source>New simulated study</source>
        <translation>Neue simulierte Studie</translation>
    </message>
    <message>
        <source>Scanner, phantom, number of events</source>
        <translation>Scanner, Phantom, Zahl der Ereignisse</translation>
    </message>
    <message>
        <source>Simulate…</source>
        <translation>Simulieren…</translation>
    </message>
    <message>
        <source>RECENT</source>
        <translation>ZULETZT BENUTZT</translation>
    </message>
    <message>
        <source>THIS COMPUTER</source>
        <translation>DIESER RECHNER</translation>
    </message>
    <message>
        <source>H  all keys     Ctrl+O  open     drag files anywhere into the window</source>
        <translation>H  alle Tasten     Strg+O  öffnen     Dateien lassen sich überall ins Fenster ziehen</translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation>Noch nichts</translation>
    </message>
    <message>
        <source>What you open is listed here</source>
        <translation>Was Sie öffnen, steht dann hier</translation>
    </message>
    <message>
        <source>not found, the drive may be offline</source>
        <translation>nicht gefunden; das Laufwerk ist vielleicht getrennt</translation>
    </message>
    <message>
        <source>Looking for engines</source>
        <translation>Engines werden gesucht</translation>
    </message>
    <message>
        <source>430 M events, simulated at the first use</source>
        <translation>430 M Ereignisse, beim ersten Mal simuliert</translation>
    </message>
    <message>
        <source>Kernel lab</source>
        <translation>Kernlabor</translation>
    </message>
    <message>
        <source>Shape a kernel, see point sources through it; needs no data</source>
        <translation>Einen Kern formen und ansehen; ohne Daten</translation>
    </message>
    <message>
        <source>Open lab</source>
        <translation>Labor öffnen</translation>
    </message>
    <message>
        <source>Reopen</source>
        <translation>Wieder öffnen</translation>
    </message>
    <message>
        <source>Recover runs</source>
        <translation>Läufe retten</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
</context>
<context>
    <name>tof::ui::StatusStrip</name>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>%1 %2…</source>
        <translation>%1 %2…</translation>
    </message>
    <message>
        <source>iteration %1 of %2, block %3 of %4</source>
        <translation>Iteration %1 von %2, Block %3 von %4</translation>
    </message>
    <message>
        <source>Paused, %1: %2</source>
        <translation>Angehalten, %1: %2</translation>
    </message>
    <message>
        <source>Preparing %1…</source>
        <translation>%1 wird vorbereitet…</translation>
    </message>
    <message>
        <source>Preparing %1: %2</source>
        <translation>%1 wird vorbereitet: %2</translation>
    </message>
    <message>
        <source>Preparing %1: %2, %3 %</source>
        <translation>%1 wird vorbereitet: %2, %3 %</translation>
    </message>
    <message>
        <source>Reconstructing %1: %2</source>
        <translation>%1 wird rekonstruiert: %2</translation>
    </message>
    <message>
        <source>Run %1: iteration %2/%3, block %4/%5</source>
        <translation>Lauf %1: Iteration %2/%3, Block %4/%5</translation>
    </message>
    <message>
        <source>No study open</source>
        <translation>Keine Studie offen</translation>
    </message>
    <message>
        <source>Volume %1</source>
        <translation>Volumen %1</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>%1 failed: %2</source>
        <translation>%1 ist fehlgeschlagen: %2</translation>
    </message>
    <message>
        <source>%1 was cancelled</source>
        <translation>%1 wurde abgebrochen</translation>
    </message>
    <message>
        <source>%1 was finished early, its last whole iterate is kept</source>
        <translation>%1 wurde früher beendet, seine letzte ganze Iteration ist behalten</translation>
    </message>
    <message>
        <source>%1 is done, %2 is shown</source>
        <translation>%1 ist fertig, zu sehen ist %2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Ready to reconstruct</source>
        <translation>Bereit zur Rekonstruktion</translation>
    </message>
    <message>
        <source>%1, %2 of %3 GiB</source>
        <translation>%1, %2 von %3 GiB</translation>
    </message>
    <message>
        <source>1 message</source>
        <translation>1 Meldung</translation>
    </message>
    <message numerus="yes">
        <source>%n messages</source>
        <translation>
            <numerusform>%n Meldung</numerusform>
            <numerusform>%n Meldungen</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancelling: %1…</source>
        <translation>Bricht ab: %1 …</translation>
    </message>
    <message>
        <source>Paused: %1</source>
        <translation>Angehalten: %1</translation>
    </message>
</context>
<context>
    <name>tof::ui::StrategyBars</name>
    <message>
        <source>Times of forward projection</source>
        <translation>Zeiten der Vorwärtsprojektion</translation>
    </message>
    <message>
        <source>Times of back projection</source>
        <translation>Zeiten der Rückprojektion</translation>
    </message>
    <message>
        <source>%1: %2 ms per view</source>
        <translation>%1: %2 ms je Ansicht</translation>
    </message>
    <message>
        <source>%1: not timed yet; Measure times every strategy</source>
        <translation>%1: noch nicht gemessen; „Messen“ misst jede Strategie</translation>
    </message>
</context>
<context>
    <name>tof::ui::StudyPanel</name>
    <message>
        <source>STUDY</source>
        <translation>STUDIE</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>Ansichten</translation>
    </message>
    <message>
        <source>Lattice</source>
        <translation>Gitter</translation>
    </message>
    <message>
        <source>KERNEL</source>
        <translation>KERN</translation>
    </message>
    <message>
        <source>RECONSTRUCT</source>
        <translation>REKONSTRUIEREN</translation>
    </message>
    <message>
        <source>for the next run</source>
        <translation>für den nächsten Lauf</translation>
    </message>
    <message>
        <source>All settings</source>
        <translation>Alle Einstellungen</translation>
    </message>
    <message>
        <source>Shows every setting of a reconstruction</source>
        <translation>Zeigt jede Einstellung einer Rekonstruktion</translation>
    </message>
    <message>
        <source>RUNS</source>
        <translation>LÄUFE</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kern</translation>
    </message>
    <message>
        <source>SR kernel of the next run: a preset, one&apos;s own, or a file</source>
        <translation>SR-Kern des nächsten Laufs: eine Vorlage, ein eigener oder eine Datei</translation>
    </message>
    <message>
        <source>TOF</source>
        <translation>TOF</translation>
    </message>
    <message>
        <source>Radial</source>
        <translation>Radial</translation>
    </message>
    <message>
        <source>Axial</source>
        <translation>Axial</translation>
    </message>
    <message>
        <source>Taps</source>
        <translation>Stützst.</translation>
    </message>
    <message>
        <source>PROJECTOR</source>
        <translation>PROJEKTOR</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Worked on this run, pauses left out</source>
        <translation>An diesem Lauf gerechnet, ohne Pausen</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Held by the run: data, tables and images in this machine&apos;s memory; on the device, what it has taken since its beginning</source>
        <translation>Vom Lauf belegt: Daten, Tabellen und Bilder im Speicher dieses Rechners; auf dem Gerät, was er seit seinem Beginn genommen hat</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>Speicherspitze</translation>
    </message>
    <message>
        <source>The most the run has held, asked after each iteration</source>
        <translation>Das meiste, was der Lauf belegt hat, nach jeder Iteration gefragt</translation>
    </message>
    <message>
        <source>%1 MiB</source>
        <translation>%1 MiB</translation>
    </message>
    <message>
        <source>%1 MiB + %2 MiB device</source>
        <translation>%1 MiB + %2 MiB Gerät</translation>
    </message>
    <message>
        <source>Live iterations</source>
        <translation>Live-Iterationen</translation>
    </message>
    <message>
        <source>Iterations that live tuning makes at every change of a setting, 1 to 100</source>
        <translation>Iterationen, die die Live-Abstimmung bei jeder Änderung einer Einstellung rechnet, 1 bis 100</translation>
    </message>
    <message>
        <source>of %1 kept</source>
        <translation>von %1 behalten</translation>
    </message>
    <message>
        <source>Kernel description</source>
        <translation>Kernbeschreibung</translation>
    </message>
    <message>
        <source>Kernels (*.json);;All files (*)</source>
        <translation>Kerne (*.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>ps FWHM</source>
        <translation>ps FWHM</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>largest kernel</source>
        <translation>größter Kern</translation>
    </message>
    <message>
        <source>LAYERS</source>
        <translation>SCHICHTEN</translation>
    </message>
</context>
<context>
    <name>tof::ui::ToolBar</name>
    <message>
        <source>Live tuning</source>
        <translation>Live-Abstimmung</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
</context>
<context>
    <name>tof::ui::ViewChart</name>
    <message>
        <source>Counts by view</source>
        <translation>Zählwerte nach Ansicht</translation>
    </message>
    <message>
        <source>Counts of every view, one curve per tilt; click to show a view</source>
        <translation>Zählwerte jeder Ansicht, eine Kurve je Neigung; ein Klick zeigt eine Ansicht</translation>
    </message>
    <message>
        <source>counts by view</source>
        <translation>Zählwerte nach Ansicht</translation>
    </message>
    <message>
        <source>expected</source>
        <translation>erwartet</translation>
    </message>
</context>
<context>
    <name>tof::ui::ViewCommands</name>
    <message>
        <source>Large transverse</source>
        <translation>Transversal groß</translation>
    </message>
    <message>
        <source>Transverse over two rows, coronal and sagittal beside it</source>
        <translation>Transversal über zwei Zeilen, koronal und sagittal daneben</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>Raster</translation>
    </message>
    <message>
        <source>Three pictures and the profile, equal in size</source>
        <translation>Drei Bilder und das Profil, gleich groß</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>Reihe</translation>
    </message>
    <message>
        <source>Three pictures beside each other</source>
        <translation>Drei Bilder nebeneinander</translation>
    </message>
    <message>
        <source>Single picture</source>
        <translation>Einzelnes Bild</translation>
    </message>
    <message>
        <source>The picture with the frame alone</source>
        <translation>Nur das Bild mit dem Rahmen</translation>
    </message>
    <message>
        <source>Transverse</source>
        <translation>Transversal</translation>
    </message>
    <message>
        <source>Sagittal</source>
        <translation>Sagittal</translation>
    </message>
    <message>
        <source>Coronal</source>
        <translation>Koronal</translation>
    </message>
    <message>
        <source>Moves the frame, and the keys, to this picture</source>
        <translation>Gibt diesem Bild den Rahmen und die Tasten</translation>
    </message>
    <message>
        <source>Next slice</source>
        <translation>Nächste Schicht</translation>
    </message>
    <message>
        <source>Previous slice</source>
        <translation>Vorige Schicht</translation>
    </message>
    <message>
        <source>Ten slices on</source>
        <translation>Zehn Schichten weiter</translation>
    </message>
    <message>
        <source>Ten slices back</source>
        <translation>Zehn Schichten zurück</translation>
    </message>
    <message>
        <source>Moves the cursor along the normal of the picture with the frame</source>
        <translation>Bewegt den Cursor längs der Normalen des Bildes mit dem Rahmen</translation>
    </message>
    <message>
        <source>Annotations</source>
        <translation>Beschriftung</translation>
    </message>
    <message>
        <source>Everything painted over the pictures</source>
        <translation>Alles, was über die Bilder gemalt wird</translation>
    </message>
    <message>
        <source>Crosshair</source>
        <translation>Fadenkreuz</translation>
    </message>
    <message>
        <source>The cursor&apos;s lines; the cursor itself stays</source>
        <translation>Die Linien des Cursors; der Cursor selbst bleibt</translation>
    </message>
    <message>
        <source>Colour bar</source>
        <translation>Farbskala</translation>
    </message>
    <message>
        <source>Colours and their values</source>
        <translation>Farben und ihre Werte</translation>
    </message>
    <message>
        <source>Orientation letters</source>
        <translation>Richtungsbuchstaben</translation>
    </message>
    <message>
        <source>R, L, A, P, S, I at the edges</source>
        <translation>R, L, A, P, S, I an den Rändern</translation>
    </message>
    <message>
        <source>Voxel read-out</source>
        <translation>Voxelwerte</translation>
    </message>
    <message>
        <source>Values of every run under the cursor, below the pictures</source>
        <translation>Werte jedes Laufs unter dem Cursor, unterhalb der Bilder</translation>
    </message>
    <message>
        <source>ROIs</source>
        <translation>ROIs</translation>
    </message>
    <message>
        <source>Outlines of the regions of interest</source>
        <translation>Umrisse der interessierenden Gebiete (ROIs)</translation>
    </message>
    <message>
        <source>Interpolation</source>
        <translation>Interpolation</translation>
    </message>
    <message>
        <source>Smooth between voxels; off shows every voxel as it is (off at the start)</source>
        <translation>Glatt zwischen Voxeln; aus zeigt jedes Voxel, wie es ist (am Anfang aus)</translation>
    </message>
    <message>
        <source>Invert colours</source>
        <translation>Farben umkehren</translation>
    </message>
    <message>
        <source>The colour map in the opposite order</source>
        <translation>Die Farbtabelle in umgekehrter Folge</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>Display range from 0 to the 99.99th percentile of the image on screen</source>
        <translation>Anzeigebereich von 0 bis zum Perzentil 99.99 des Bildes auf dem Schirm</translation>
    </message>
    <message>
        <source>Reset view</source>
        <translation>Ansicht zurücksetzen</translation>
    </message>
    <message>
        <source>Fits the object: zoom and pan as at the start</source>
        <translation>Passt das Objekt ein: Zoom und Verschiebung wie am Anfang</translation>
    </message>
    <message>
        <source>Show the whole lattice</source>
        <translation>Ganzes Gitter zeigen</translation>
    </message>
    <message>
        <source>Zooms out until every voxel is in the pictures</source>
        <translation>Zoomt so weit heraus, dass jedes Voxel in den Bildern ist</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Puts back what is being dragged, else resets the display range; never ends a run</source>
        <translation>Legt zurück, was gezogen wird, sonst wird der Wertebereich zurückgesetzt; beendet nie einen Lauf</translation>
    </message>
    <message>
        <source>Neurological orientation</source>
        <translation>Neurologische Orientierung</translation>
    </message>
    <message>
        <source>Patient&apos;s left on the left; off is radiological, left on the right</source>
        <translation>Links des Patienten ist links; aus ist radiologisch, links ist rechts</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>Helles Farbschema</translation>
    </message>
    <message>
        <source>Light instead of dark ground around the pictures</source>
        <translation>Heller statt dunkler Grund um die Bilder</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>Ganzer Schirm</translation>
    </message>
    <message>
        <source>The window without a frame</source>
        <translation>Das Fenster ohne Rahmen</translation>
    </message>
    <message>
        <source>Maximum intensity</source>
        <translation>Maximumintensität</translation>
    </message>
    <message>
        <source>MIP</source>
        <translation>MIP</translation>
    </message>
    <message>
        <source>All slices at once, brightest in front; off shows one slice</source>
        <translation>Alle Schichten auf einmal, das Hellste vorn; aus zeigt eine Schicht</translation>
    </message>
    <message>
        <source>Mean of the slab</source>
        <translation>Mittel des Schichtstapels</translation>
    </message>
    <message>
        <source>Thick slices show the mean of their layers in place of the largest value</source>
        <translation>Dicke Schichten zeigen das Mittel ihrer Lagen statt des größten Wertes</translation>
    </message>
    <message>
        <source>One slice is shown; give the slab a thickness first</source>
        <translation>Eine Schicht ist zu sehen; zuerst eine Dicke einstellen</translation>
    </message>
    <message>
        <source>Next image</source>
        <translation>Nächstes Bild</translation>
    </message>
    <message>
        <source>Previous image</source>
        <translation>Voriges Bild</translation>
    </message>
    <message>
        <source>In the picture with the frame: another run; on Compare for A or B, on Data another azimuth</source>
        <translation>In der Ansicht mit dem Rahmen: ein anderer Lauf; beim Vergleich für A oder B, bei den Daten ein anderer Azimut</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>Values of all runs along a line of voxels, or along a drawn line</source>
        <translation>Werte aller Läufe längs einer Voxelreihe oder einer gezeichneten Linie</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>Histogramm</translation>
    </message>
    <message>
        <source>How often values occur in the image on screen</source>
        <translation>Wie oft Werte im Bild auf dem Schirm vorkommen</translation>
    </message>
    <message>
        <source>Every value of every ROI of the image on screen</source>
        <translation>Jeder Wert jeder ROI des Bildes auf dem Schirm</translation>
    </message>
    <message>
        <source>The image seen from outside, brightest along the line of sight</source>
        <translation>Das Bild von außen, das Hellste längs des Blicks</translation>
    </message>
    <message>
        <source>Surface</source>
        <translation>Fläche</translation>
    </message>
    <message>
        <source>The 3-D picture as a surface at a level; off shows the brightest value</source>
        <translation>Das 3-D-Bild als Fläche an einem Niveau; aus zeigt den hellsten Wert</translation>
    </message>
    <message>
        <source>Only a profile has a direction</source>
        <translation>Nur ein Profil hat eine Richtung</translation>
    </message>
    <message>
        <source>Profile along %1 through the cursor</source>
        <translation>Profil längs %1 durch den Cursor</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Linie</translation>
    </message>
    <message>
        <source>Profile along a drawn line; Ctrl+drag in a picture draws another one</source>
        <translation>Profil an einer gezeichneten Linie; Strg+Ziehen in einem Bild zeichnet eine andere</translation>
    </message>
    <message>
        <source>Cine through slices</source>
        <translation>Schichten abspielen</translation>
    </message>
    <message>
        <source>Plays the slices of the picture with the frame; again stops</source>
        <translation>Spielt die Schichten des Bildes mit dem Rahmen ab; noch einmal hält an</translation>
    </message>
    <message>
        <source>Grid with 3-D</source>
        <translation>Raster mit 3-D</translation>
    </message>
    <message>
        <source>Three pictures and the image from outside, equal in size</source>
        <translation>Drei Bilder und das Bild von außen, gleich groß</translation>
    </message>
    <message>
        <source>Auto range</source>
        <translation>Automatischer Bereich</translation>
    </message>
    <message>
        <source>Profile along %1</source>
        <translation>Profil entlang %1</translation>
    </message>
    <message>
        <source>Profile along a line</source>
        <translation>Profil entlang einer Linie</translation>
    </message>
    <message>
        <source>Profile at a place...</source>
        <translation>Profil an einem Ort...</translation>
    </message>
    <message>
        <source>Takes the cursor, and the profile through it, to a place given in mm</source>
        <translation>Bringt den Cursor und das Profil durch ihn an einen Ort in mm</translation>
    </message>
    <message>
        <source>Profile at a place</source>
        <translation>Profil an einem Ort</translation>
    </message>
    <message>
        <source>x, y, z in mm; what is left out stays</source>
        <translation>x, y, z in mm; was fehlt, bleibt</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Activity against time of the voxel under the cursor and of every ROI</source>
        <translation>Aktivität über der Zeit, vom Voxel unter dem Cursor und von jeder ROI</translation>
    </message>
    <message>
        <source>Decay-corrected curves</source>
        <translation>Zerfallskorrigierte Kurven</translation>
    </message>
    <message>
        <source>Decay-corrected</source>
        <translation>zerfallskorrigiert</translation>
    </message>
    <message>
        <source>Curves against time are corrected for decay to time zero; off shows what was measured</source>
        <translation>Zeitkurven sind für den Zerfall auf die Zeit null korrigiert; aus zeigt, was gemessen wurde</translation>
    </message>
    <message>
        <source>Logarithmic activity</source>
        <translation>Logarithmische Aktivität</translation>
    </message>
    <message>
        <source>log y</source>
        <translation>log y</translation>
    </message>
    <message>
        <source>Curves against time have a logarithmic axis of activity</source>
        <translation>Zeitkurven haben eine logarithmische Achse der Aktivität</translation>
    </message>
    <message>
        <source>Logarithmic time</source>
        <translation>Logarithmische Zeit</translation>
    </message>
    <message>
        <source>log t</source>
        <translation>log t</translation>
    </message>
    <message>
        <source>Curves against time have a logarithmic axis of time</source>
        <translation>Zeitkurven haben eine logarithmische Zeitachse</translation>
    </message>
    <message>
        <source>Mean of frames</source>
        <translation>Mittel der Zeitbilder</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>The mean of all frames of a dynamic image; again shows the first of them alone</source>
        <translation>Das Mittel aller Zeitbilder eines dynamischen Bilds; nochmals zeigt das erste allein</translation>
    </message>
    <message>
        <source>Cine through iterates or frames</source>
        <translation>Film durch Iterationen oder Zeitbilder</translation>
    </message>
    <message>
        <source>Plays the iterates of the selected run, or the frames of an image; again stops</source>
        <translation>Spielt die Iterationen des ausgewählten Laufs oder die Zeitbilder eines Bilds; nochmals hält an</translation>
    </message>
    <message>
        <source>Cine</source>
        <translation>Film</translation>
    </message>
    <message>
        <source>Cubic interpolation</source>
        <translation>Kubische Interpolation</translation>
    </message>
    <message>
        <source>Where pictures are interpolated, through four voxels each way in place of two</source>
        <translation>Wo Bilder interpoliert werden, durch vier Voxel je Richtung statt durch zwei</translation>
    </message>
    <message>
        <source>Turn the planes</source>
        <translation>Ebenen drehen</translation>
    </message>
    <message>
        <source>Handles on the crosshair: a drag turns the other two planes about the cursor, with Shift by 15°</source>
        <translation>Griffe am Fadenkreuz: Ziehen dreht die beiden anderen Ebenen um den Cursor, mit Umschalt in Schritten von 15°</translation>
    </message>
    <message>
        <source>Straighten the planes</source>
        <translation>Ebenen gerade stellen</translation>
    </message>
    <message>
        <source>Transverse, sagittal and coronal again, through the same cursor</source>
        <translation>Wieder transversal, sagittal und koronal, durch denselben Cursor</translation>
    </message>
    <message>
        <source>No plane is turned</source>
        <translation>Keine Ebene ist gedreht</translation>
    </message>
    <message>
        <source>Sum of the slab</source>
        <translation>Summe des Schichtstapels</translation>
    </message>
    <message>
        <source>Thick slices show the sum of their layers in place of the largest value</source>
        <translation>Dicke Schichten zeigen die Summe ihrer Lagen statt des größten Wertes</translation>
    </message>
</context>
<context>
    <name>tof::ui::Viewer</name>
    <message>
        <source>PVC</source>
        <translation>PVK</translation>
    </message>
    <message>
        <source>Partial volume correction: takes out of the curves of ROIs what is seen of them in one another, through a Gaussian of this FWHM; ROIs must lie beside each other. 0: nothing</source>
        <translation>Partialvolumenkorrektur: nimmt aus den Kurven der ROIs heraus, was durch eine Gauß-Kurve dieser Halbwertsbreite von der einen in der anderen zu sehen ist; die ROIs müssen nebeneinander liegen. 0: nichts</translation>
    </message>
    <message>
        <source>What is below the pictures</source>
        <translation>Was unter den Bildern steht</translation>
    </message>
    <message>
        <source>The image seen from outside</source>
        <translation>Das Bild von außen gesehen</translation>
    </message>
    <message>
        <source>Colour map</source>
        <translation>Farbtabelle</translation>
    </message>
    <message>
        <source>Colour map; U inverts it</source>
        <translation>Farbtabelle; U kehrt sie um</translation>
    </message>
    <message>
        <source>%1, in the unit of the image</source>
        <translation>%1, in der Einheit des Bildes</translation>
    </message>
    <message>
        <source>Lower end of the colour map</source>
        <translation>Unteres Ende der Farbtabelle</translation>
    </message>
    <message>
        <source>Upper end of the colour map</source>
        <translation>Oberes Ende der Farbtabelle</translation>
    </message>
    <message>
        <source>Slab thickness</source>
        <translation>Schichtdicke</translation>
    </message>
    <message>
        <source>Slab thickness, mm; 0 shows one slice, &quot;all&quot; every one</source>
        <translation>Schichtdicke, mm; 0 zeigt eine Schicht, „alle“ alle</translation>
    </message>
    <message>
        <source>one slice</source>
        <translation>1 Schicht</translation>
    </message>
    <message>
        <source>all slices</source>
        <translation>alle Schichten</translation>
    </message>
    <message>
        <source>drag turns, wheel zooms</source>
        <translation>Ziehen dreht, Rad zoomt</translation>
    </message>
    <message>
        <source>brightest along the line of sight; drag turns, wheel zooms</source>
        <translation>das Hellste längs des Blicks; Ziehen dreht, Rad zoomt</translation>
    </message>
    <message>
        <source>slab %1&#xa0;mm</source>
        <translation>Dicke %1&#xa0;mm</translation>
    </message>
    <message>
        <source>no image yet</source>
        <translation>noch kein Bild</translation>
    </message>
    <message>
        <source>%1 % of the largest value</source>
        <translation>%1 % vom größten Wert</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Niveau</translation>
    </message>
    <message>
        <source>The surface is where the image reaches this share of its largest value</source>
        <translation>Die Fläche liegt, wo das Bild diesen Anteil seines größten Wertes erreicht</translation>
    </message>
    <message>
        <source>Display ranges by name</source>
        <translation>Anzeigebereiche nach Namen</translation>
    </message>
    <message>
        <source>%1, iterate %2</source>
        <translation>%1, Iteration %2</translation>
    </message>
    <message>
        <source>%1; range of %2</source>
        <translation>%1; Bereich von %2</translation>
    </message>
    <message>
        <source>Display range</source>
        <translation>Anzeigebereich</translation>
    </message>
    <message>
        <source>Thick slices</source>
        <translation>Dicke Schichten</translation>
    </message>
</context>
<context>
    <name>tof::ui::Messages</name>
    <message>
        <source>Written: %1</source>
        <translation>Geschrieben: %1</translation>
    </message>
</context>
<context>
    <name>tof::ui::NoticeBar</name>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Opens the study in place of what is open</source>
        <translation>Öffnet die Studie anstelle dessen, was offen ist</translation>
    </message>
    <message>
        <source>Show folder</source>
        <translation>Ordner zeigen</translation>
    </message>
    <message>
        <source>Opens the folder of the file in the file manager</source>
        <translation>Öffnet den Ordner der Datei in der Dateiverwaltung</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>All messages of this session</source>
        <translation>Alle Meldungen dieser Sitzung</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>Puts versions, engines and messages on the clipboard, for a report</source>
        <translation>Legt Versionen, Engines und Meldungen in die Zwischenablage, für einen Bericht</translation>
    </message>
    <message>
        <source>Takes the message away; it stays in Messages</source>
        <translation>Nimmt die Meldung weg; unter „Meldungen“ bleibt sie</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weitere</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tof::ui::SimulationDialog</name>
    <message>
        <source>New simulated study</source>
        <translation>Neue simulierte Studie</translation>
    </message>
    <message>
        <source>Simulate</source>
        <translation>Simulieren</translation>
    </message>
    <message>
        <source>%1: %2 rings of %3 crystals, radius %4 mm; %5 bins of sinograms, %6</source>
        <translation>%1: %2 Ringe zu %3 Kristallen, Radius %4 mm; %5 Bins der Sinogramme, %6</translation>
    </message>
    <message>
        <source>TOF %1 ps</source>
        <translation>TOF %1 ps</translation>
    </message>
    <message>
        <source>no TOF</source>
        <translation>ohne TOF</translation>
    </message>
    <message>
        <source>%1 crystals of %2 x %3 x %4 mm, time resolution %5 ps, field of view %6 mm; list-mode, sorted into 40 x 3 views</source>
        <translation>%1 Kristalle von %2 x %3 x %4 mm, Zeitauflösung %5 ps, Gesichtsfeld %6 mm; List-Mode, in 40 x 3 Ansichten sortiert</translation>
    </message>
    <message numerus="yes">
        <source>%n shapes</source>
        <translation>
            <numerusform>%n Körper</numerusform>
            <numerusform>%n Körper</numerusform>
        </translation>
    </message>
    <message>
        <source>one study, seed %1</source>
        <translation>eine Studie, Startwert %1</translation>
    </message>
    <message>
        <source>%1 studies NAME-seedS.tofstudy, seeds %2 to %3</source>
        <translation>%1 Studien NAME-seedS.tofstudy, Startwerte %2 bis %3</translation>
    </message>
    <message>
        <source>%1 GB</source>
        <translation>%1 GB</translation>
    </message>
    <message>
        <source>%1 MB</source>
        <translation>%1 MB</translation>
    </message>
    <message>
        <source>about %1 on this computer</source>
        <translation>etwa %1 auf diesem Rechner</translation>
    </message>
    <message>
        <source>time grows with the bins, not with the events</source>
        <translation>die Zeit wächst mit den Bins, nicht mit den Ereignissen</translation>
    </message>
    <message>
        <source>measuring how long it takes…</source>
        <translation>Dauer wird gemessen …</translation>
    </message>
    <message>
        <source>%1 events: %2, %3 on disk</source>
        <translation>%1 Ereignisse: %2, %3 auf der Platte</translation>
    </message>
    <message>
        <source>A name is needed</source>
        <translation>Ein Name wird gebraucht</translation>
    </message>
    <message>
        <source>%1 exists already; choose another name</source>
        <translation>%1 gibt es schon; bitte einen anderen Namen</translation>
    </message>
    <message>
        <source>%1 cannot be written</source>
        <translation>%1 lässt sich nicht beschreiben</translation>
    </message>
    <message>
        <source>two heads of %1 x %2 crystals at a pitch of %3 mm, %4 mm apart; %5 lines of response, time resolution not used</source>
        <translation>zwei Köpfe mit %1 x %2 Kristallen im Raster von %3 mm, %4 mm Abstand; %5 Antwortlinien, Zeitauflösung nicht genutzt</translation>
    </message>
    <message>
        <source>Sinograms of rings are made without scatter and randoms</source>
        <translation>Sinogramme von Ringen werden ohne Streuung und Zufällige gemacht</translation>
    </message>
    <message>
        <source>Lines of panels are not corrected yet</source>
        <translation>Linien von Platten werden noch nicht korrigiert</translation>
    </message>
    <message>
        <source>Expected counts bring their scatter and randoms with them</source>
        <translation>Erwartete Zählwerte bringen ihre Streuung und Zufälligen mit</translation>
    </message>
    <message>
        <source>The scanner does not say how it detects: it has none</source>
        <translation>Der Scanner sagt nicht, wie er nachweist: er hat keine</translation>
    </message>
    <message>
        <source>reading its images…</source>
        <translation>seine Bilder werden gelesen…</translation>
    </message>
    <message>
        <source>Its images are still being read</source>
        <translation>Seine Bilder werden noch gelesen</translation>
    </message>
    <message>
        <source>The phantom reaches %1 mm from the axis, the scanner&apos;s crystals begin at %2 mm</source>
        <translation>Das Phantom reicht %1 mm von der Achse, die Kristalle des Scanners beginnen bei %2 mm</translation>
    </message>
    <message>
        <source>Devices follow scans in time: a scanner with randoms switched on</source>
        <translation>Geräte verfolgen Messungen in der Zeit: ein Scanner mit eingeschalteten Zufälligen</translation>
    </message>
    <message>
        <source>this machine&apos;s cores</source>
        <translation>Kerne dieses Rechners</translation>
    </message>
    <message>
        <source>every core, below other programs</source>
        <translation>jeder Kern, hinter anderen Programmen</translation>
    </message>
    <message>
        <source>the same photons on a GPU</source>
        <translation>dieselben Photonen auf einer GPU</translation>
    </message>
    <message>
        <source>Sinograms of rings are made from chords anyway</source>
        <translation>Sinogramme von Ringen entstehen ohnehin aus Sehnen</translation>
    </message>
    <message>
        <source>Lines of panels are made of events alone</source>
        <translation>Linien von Platten entstehen nur aus Ereignissen</translation>
    </message>
    <message>
        <source>from chords</source>
        <translation>aus Sehnen</translation>
    </message>
    <message>
        <source>photon by photon</source>
        <translation>Photon für Photon</translation>
    </message>
    <message>
        <source>expected counts through the phantom, then Poisson noise</source>
        <translation>erwartete Zählwerte durch das Phantom, dann Poisson-Rauschen</translation>
    </message>
    <message>
        <source>events of a Monte Carlo simulation, sorted into data</source>
        <translation>Ereignisse einer Monte-Carlo-Simulation, zu Daten sortiert</translation>
    </message>
    <message>
        <source>expected counts through the phantom, then Poisson noise; no events</source>
        <translation>erwartete Zählwerte durch das Phantom, dann Poisson-Rauschen; keine Ereignisse</translation>
    </message>
    <message>
        <source>Of events alone; counts from chords have no physics beyond blur and attenuation</source>
        <translation>Nur bei Ereignissen; Zählwerte aus Sehnen haben keine Physik außer Unschärfe und Schwächung</translation>
    </message>
    <message>
        <source>The scanner does not say how it detects; labr3 is labr3-ideal with all of this</source>
        <translation>Der Scanner sagt nicht, wie er nachweist; labr3 ist labr3-ideal mit all dem</translation>
    </message>
    <message>
        <source>Of ring scanners alone; others blur and attenuate by themselves</source>
        <translation>Nur bei Ringscannern; andere verwischen und schwächen von selbst</translation>
    </message>
    <message>
        <source>Of counts from chords alone; events have their noise</source>
        <translation>Nur bei Zählwerten aus Sehnen; Ereignisse haben ihr Rauschen</translation>
    </message>
    <message>
        <source>Randoms are switched off</source>
        <translation>Zufällige sind ausgeschaltet</translation>
    </message>
    <message>
        <source>as fast as the device is, some million events a second</source>
        <translation>so schnell wie das Gerät, einige Millionen Ereignisse pro Sekunde</translation>
    </message>
    <message>
        <source>time grows with the views, not with the events</source>
        <translation>die Zeit wächst mit den Ansichten, nicht mit den Ereignissen</translation>
    </message>
    <message>
        <source>; %1 GB of memory meanwhile</source>
        <translation>; währenddessen %1 GB Speicher</translation>
    </message>
    <message>
        <source>%1 GB are needed there, %2 GB are free</source>
        <translation>Dort werden %1 GB gebraucht, %2 GB sind frei</translation>
    </message>
    <message>
        <source>Of counts from chords alone; events have what physics gives them</source>
        <translation>Nur für Zählwerte aus Sehnen; Ereignisse haben, was die Physik ihnen gibt</translation>
    </message>
    <message>
        <source>The scanner&apos;s description has nothing of it</source>
        <translation>Die Beschreibung des Scanners hat nichts davon</translation>
    </message>
    <message>
        <source>The scanner&apos;s description has no coincidence window</source>
        <translation>Die Beschreibung des Scanners hat kein Koinzidenzfenster</translation>
    </message>
    <message>
        <source>Only where decays are followed in time: switch randoms on</source>
        <translation>Nur wo Zerfälle in der Zeit verfolgt werden: Zufällige einschalten</translation>
    </message>
</context>
<context>
    <name>tof::ui::SweepDialog</name>
    <message>
        <source>Sweep</source>
        <translation>Reihe</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Kerne</translation>
    </message>
    <message>
        <source>Relaxations</source>
        <translation>Relaxationen</translation>
    </message>
    <message>
        <source>One or several, with commas between: 0.02, 0.03, 0.05</source>
        <translation>Eine oder mehrere, mit Kommas dazwischen: 0.02, 0.03, 0.05</translation>
    </message>
    <message>
        <source>Iterations</source>
        <translation>Iterationen</translation>
    </message>
    <message>
        <source>Of every run. Several: a run for each of them; the iterates of a longer run are the same images</source>
        <translation>Jedes Laufs. Mehrere: ein Lauf für jede Zahl; die Iterationen eines längeren Laufs sind dieselben Bilder</translation>
    </message>
    <message>
        <source>Tick a kernel, and give numbers with commas between: relaxations above 0, whole iterations</source>
        <translation>Einen Kern ankreuzen und Zahlen mit Kommas dazwischen angeben: Relaxationen über 0, ganze Iterationen</translation>
    </message>
    <message>
        <source>runs: %1, iterations in all: %2</source>
        <translation>Läufe: %1, Iterationen zusammen: %2</translation>
    </message>
    <message>
        <source>Queue 1 run</source>
        <translation>1 Lauf einreihen</translation>
    </message>
    <message numerus="yes">
        <source>Queue %n runs</source>
        <translation>
            <numerusform>%n Lauf einreihen</numerusform>
            <numerusform>%n Läufe einreihen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tof::ui::MoreButton</name>
    <message>
        <source>More tools</source>
        <translation>Weitere Werkzeuge</translation>
    </message>
    <message>
        <source>Tools that the bar has no room for</source>
        <translation>Werkzeuge, für die in der Leiste kein Platz ist</translation>
    </message>
</context>
<context>
    <name>tof::ui::Tour</name>
    <message>
        <source>Guided tour</source>
        <translation>Rundgang</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Ends the tour; Help &gt; Guided tour begins it again</source>
        <translation>Beendet den Rundgang; „Hilfe &gt; Rundgang“ beginnt ihn von vorn</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>The step before</source>
        <translation>Der Schritt davor</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>The next step</source>
        <translation>Der nächste Schritt</translation>
    </message>
    <message>
        <source>Guided tour, %1 of %2</source>
        <translation>Rundgang, %1 von %2</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
</context>
<context>
    <name>tof::ui::Annotations</name>
    <message>
        <source>Add annotation</source>
        <translation>Anmerkung hinzufügen</translation>
    </message>
    <message>
        <source>Delete annotation</source>
        <translation>Anmerkung löschen</translation>
    </message>
</context>
<context>
    <name>tof::ui::Uptakes</name>
    <message>
        <source>SUV of %1</source>
        <translation>SUV von %1</translation>
    </message>
</context>
<context>
    <name>tof::ui::UptakeDialog</name>
    <message>
        <source>SUV of %1</source>
        <translation>SUV von %1</translation>
    </message>
    <message>
        <source>Of the body</source>
        <translation>Des Körpers</translation>
    </message>
    <message>
        <source>Activity at the injection</source>
        <translation>Aktivität bei der Injektion</translation>
    </message>
    <message>
        <source>From the injection to the time that the values are decay-corrected to, the start of the scan as a rule; 0 where they are corrected to the injection, below 0 for a start before it</source>
        <translation>Von der Injektion bis zur Zeit, auf die die Werte zerfallskorrigiert sind, in der Regel der Beginn der Messung; 0, wo sie auf die Injektion korrigiert sind, unter 0 bei einem Beginn davor</translation>
    </message>
    <message>
        <source>Nuclide</source>
        <translation>Nuklid</translation>
    </message>
    <message>
        <source>another</source>
        <translation>anderes</translation>
    </message>
    <message>
        <source>Show values as SUV</source>
        <translation>Werte als SUV zeigen</translation>
    </message>
    <message>
        <source>Body weight</source>
        <translation>Körpergewicht</translation>
    </message>
    <message>
        <source>Injected dose</source>
        <translation>Injizierte Aktivität</translation>
    </message>
    <message>
        <source>Half life</source>
        <translation>Halbwertszeit</translation>
    </message>
    <message>
        <source>Positrons per decay</source>
        <translation>Positronen je Zerfall</translation>
    </message>
    <message>
        <source>Share of decays that emit a positron. Runs count positrons; images in Bq/ml are activities</source>
        <translation>Anteil der Zerfälle, die ein Positron aussenden. Läufe zählen Positronen; Bilder in Bq/ml sind Aktivitäten</translation>
    </message>
    <message>
        <source>Since injection</source>
        <translation>Seit der Injektion</translation>
    </message>
    <message>
        <source>Give body weight, dose and half life</source>
        <translation>Bitte Körpergewicht, Aktivität und Halbwertszeit angeben</translation>
    </message>
    <message>
        <source>SUV by body weight: 1 Bq/ml is %1 g/ml</source>
        <translation>SUV nach Körpergewicht: 1 Bq/ml ist %1 g/ml</translation>
    </message>
    <message>
        <source>The image is not in Bq/ml, and its data do not say how long was measured</source>
        <translation>Das Bild ist nicht in Bq/ml, und seine Daten sagen nicht, wie lange gemessen wurde</translation>
    </message>
</context>
<context>
    <name>tof::ui::SeriesDialog</name>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
    <message>
        <source>Series</source>
        <translation>Serie</translation>
    </message>
    <message>
        <source>, %1 frames</source>
        <translation>, %1 Zeitbilder</translation>
    </message>
    <message>
        <source>Frame</source>
        <translation>Zeitbild</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>von %1</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>There are several images; which are to be opened? Ctrl takes several</source>
        <translation>Es gibt mehrere Bilder; welche sollen geöffnet werden? Strg wählt mehrere</translation>
    </message>
</context>
<context>
    <name>tof::ui::Movie</name>
    <message>
        <source>%1: movies are written as .webm, .mp4 or, picture by picture, .png</source>
        <translation>%1: Filme werden als .webm, .mp4 oder, Bild für Bild, als .png geschrieben</translation>
    </message>
    <message>
        <source>there are no pictures for a movie</source>
        <translation>es gibt keine Bilder für einen Film</translation>
    </message>
    <message>
        <source>1 to 60 pictures per second are possible</source>
        <translation>1 bis 60 Bilder in der Sekunde sind möglich</translation>
    </message>
    <message>
        <source>%1: cannot be written; check the folder</source>
        <translation>%1: kann nicht geschrieben werden; bitte den Ordner prüfen</translation>
    </message>
    <message>
        <source>ffmpeg cannot be started: %1</source>
        <translation>ffmpeg kann nicht gestartet werden: %1</translation>
    </message>
    <message>
        <source>ffmpeg gave up: %1</source>
        <translation>ffmpeg hat aufgegeben: %1</translation>
    </message>
</context>
<context>
    <name>tof::ui::ImageCommands</name>
    <message>
        <source>Post filter...</source>
        <translation>Nachfilter...</translation>
    </message>
    <message>
        <source>Puts every iterate of the selected run after a Gaussian filter beside the runs: an image and a curve of its own</source>
        <translation>Stellt jede Iteration des gewählten Laufs nach einem Gauß-Filter neben die Läufe: ein Bild und eine Kurve für sich</translation>
    </message>
    <message>
        <source>SUV...</source>
        <translation>SUV...</translation>
    </message>
    <message>
        <source>Body weight, dose and time of the image on screen, so that its values are standardised uptake values</source>
        <translation>Körpergewicht, Aktivität und Zeit des gezeigten Bildes, damit seine Werte SUV sind</translation>
    </message>
    <message>
        <source>Values as SUV</source>
        <translation>Werte als SUV</translation>
    </message>
    <message>
        <source>Standardised uptake values, or what the image has itself</source>
        <translation>SUV oder das, was das Bild selbst hat</translation>
    </message>
    <message>
        <source>Body weight and dose are not known: Tools &gt; SUV</source>
        <translation>Körpergewicht und Aktivität sind nicht bekannt: Werkzeuge &gt; SUV</translation>
    </message>
    <message>
        <source>Ruler</source>
        <translation>Maßstab</translation>
    </message>
    <message>
        <source>A length in mm, drawn with a drag in a picture; its ends can be dragged</source>
        <translation>Eine Länge in mm, in ein Bild gezogen; ihre Enden lassen sich ziehen</translation>
    </message>
    <message>
        <source>Arrow</source>
        <translation>Pfeil</translation>
    </message>
    <message>
        <source>Drawn with a drag from its tail to its tip; a double-click gives it words</source>
        <translation>Vom Ende zur Spitze gezogen; ein Doppelklick gibt ihm Worte</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Words, put with a click into a picture</source>
        <translation>Worte, mit einem Klick in ein Bild gesetzt</translation>
    </message>
    <message>
        <source>Delete annotation</source>
        <translation>Anmerkung löschen</translation>
    </message>
    <message>
        <source>The selected ruler, arrow or text; Del does it in its picture</source>
        <translation>Der gewählte Maßstab, Pfeil oder Text; Entf tut es in seinem Bild</translation>
    </message>
    <message>
        <source>No ruler, arrow or text is selected</source>
        <translation>Kein Maßstab, Pfeil oder Text ist gewählt</translation>
    </message>
    <message>
        <source>Movie of slices...</source>
        <translation>Film der Schichten...</translation>
    </message>
    <message>
        <source>The pictures through all slices of the plane with the frame, as WebM, MP4 or PNG files</source>
        <translation>Die Bilder durch alle Schichten der Ebene mit dem Rahmen, als WebM, MP4 oder PNG-Dateien</translation>
    </message>
    <message>
        <source>Movie of iterates...</source>
        <translation>Film der Iterationen...</translation>
    </message>
    <message>
        <source>The pictures through all iterates of the selected run, as WebM, MP4 or PNG files</source>
        <translation>Die Bilder durch alle Iterationen des gewählten Laufs, als WebM, MP4 oder PNG-Dateien</translation>
    </message>
    <message>
        <source>Movie of a turn...</source>
        <translation>Film einer Drehung...</translation>
    </message>
    <message>
        <source>The image from outside, once around, as WebM, MP4 or PNG files</source>
        <translation>Das Bild von außen, einmal herum, als WebM, MP4 oder PNG-Dateien</translation>
    </message>
    <message>
        <source>A movie is being written</source>
        <translation>Ein Film wird geschrieben</translation>
    </message>
    <message>
        <source>SUV</source>
        <translation>SUV</translation>
    </message>
    <message>
        <source>Post filter of %1</source>
        <translation>Nachfilter von %1</translation>
    </message>
    <message>
        <source>Gaussian, FWHM in mm</source>
        <translation>Gauß, FWHM in mm</translation>
    </message>
    <message>
        <source>Post filter</source>
        <translation>Nachfilter</translation>
    </message>
    <message>
        <source>WebM (*.webm);;MP4 (*.mp4)</source>
        <translation>WebM (*.webm);;MP4 (*.mp4)</translation>
    </message>
    <message>
        <source>PNG files (*.png)</source>
        <translation>PNG-Dateien (*.png)</translation>
    </message>
    <message>
        <source>Save movie</source>
        <translation>Film sichern</translation>
    </message>
    <message>
        <source>Pictures per second</source>
        <translation>Bilder in der Sekunde</translation>
    </message>
    <message>
        <source>Writing the movie</source>
        <translation>Der Film wird geschrieben</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Post filter to the noise of another run...</source>
        <translation>Nachfilter auf das Rauschen eines anderen Laufs...</translation>
    </message>
    <message>
        <source>Puts the selected run beside the runs after the narrowest Gaussian filter that makes it as quiet as another: a run with a prior and one without, at one noise</source>
        <translation>Stellt den gewählten Lauf nach dem schmalsten Gaußfilter, der ihn so rauscharm macht wie einen anderen, neben die Läufe: einen Lauf mit Prior und einen ohne, bei gleichem Rauschen</translation>
    </message>
    <message>
        <source>No other run has less noise, or no ROI of role uniform says how much there is</source>
        <translation>Kein anderer Lauf rauscht weniger, oder keine ROI der Rolle gleichmäßig sagt, wie viel es ist</translation>
    </message>
    <message>
        <source>Filtered until its noise is that of</source>
        <translation>Gefiltert, bis es so rauscht wie</translation>
    </message>
</context>
<context>
    <name>tof::ui::CorrectionChart</name>
    <message>
        <source>Size of the correction by view</source>
        <translation>Größe der Korrektur nach Ansicht</translation>
    </message>
    <message>
        <source>Size of the correction in every view; click to show a view</source>
        <translation>Größe der Korrektur in jeder Ansicht; ein Klick zeigt eine Ansicht</translation>
    </message>
    <message>
        <source>survives, %</source>
        <translation>überlebt, %</translation>
    </message>
    <message>
        <source>recorded, %</source>
        <translation>erfasst, %</translation>
    </message>
    <message>
        <source>of the counts, %</source>
        <translation>der Zählwerte, %</translation>
    </message>
    <message>
        <source>view</source>
        <translation>Ansicht</translation>
    </message>
</context>
<context>
    <name>tof::ui::CorrectionsDialog</name>
    <message>
        <source>This file holds no image</source>
        <translation>Diese Datei enthält kein Bild</translation>
    </message>
    <message>
        <source>Make corrections</source>
        <translation>Korrekturen machen</translation>
    </message>
    <message>
        <source>Randoms</source>
        <translation>Zufällige</translation>
    </message>
    <message>
        <source>Single scatter simulation with times of flight, of the data&apos;s own image</source>
        <translation>Simulation der Einfachstreuung mit Flugzeiten, aus dem eigenen Bild der Daten</translation>
    </message>
    <message>
        <source>Make</source>
        <translation>Machen</translation>
    </message>
    <message>
        <source>There is no such file</source>
        <translation>Diese Datei gibt es nicht</translation>
    </message>
    <message>
        <source>The data name no phantom; say what attenuates</source>
        <translation>Die Daten nennen kein Phantom; sagen Sie, was schwächt</translation>
    </message>
    <message>
        <source>A name is needed</source>
        <translation>Ein Name wird gebraucht</translation>
    </message>
    <message>
        <source>%1 exists already; choose another name</source>
        <translation>%1 gibt es schon; einen anderen Namen wählen</translation>
    </message>
    <message>
        <source>%1 cannot be written</source>
        <translation>%1 kann nicht geschrieben werden</translation>
    </message>
    <message>
        <source>The open data with the parts that are ticked become a study of their own. A part that the data do not hold is found from its file, in the background.</source>
        <translation>Die offenen Daten mit den angekreuzten Teilen werden eine eigene Studie. Ein Teil, den die Daten nicht haben, wird im Hintergrund aus seiner Datei bestimmt.</translation>
    </message>
    <message>
        <source>The data came with expected counts of which they do not say what they are. Randoms or scatter that are made take their place.</source>
        <translation>Die Daten kamen mit erwarteten Zählwerten, von denen sie nicht sagen, was sie sind. Zufällige oder Streuung, die gemacht werden, treten an ihre Stelle.</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>In the data</source>
        <translation>In den Daten</translation>
    </message>
    <message>
        <source>Found from</source>
        <translation>Bestimmt aus</translation>
    </message>
    <message>
        <source>What is lost on the way through the object</source>
        <translation>Was auf dem Weg durch das Objekt verloren geht</translation>
    </message>
    <message>
        <source>as the data were binned</source>
        <translation>wie die Daten einsortiert wurden</translation>
    </message>
    <message>
        <source>by what attenuates, below</source>
        <translation>nach dem, was schwächt (unten)</translation>
    </message>
    <message>
        <source>How well each crystal records</source>
        <translation>Wie gut jeder Kristall erfasst</translation>
    </message>
    <message>
        <source>Photons of two decays that were taken for one</source>
        <translation>Photonen zweier Zerfälle, die für einen gehalten wurden</translation>
    </message>
    <message>
        <source>What blocks miss while they are busy</source>
        <translation>Was Blöcke versäumen, während sie beschäftigt sind</translation>
    </message>
    <message>
        <source>by the singles above</source>
        <translation>aus den Einzelereignissen oben</translation>
    </message>
    <message>
        <source>Scanner</source>
        <translation>Scanner</translation>
    </message>
    <message numerus="yes">
        <source>%n crystals</source>
        <translation>
            <numerusform>%n Kristall</numerusform>
            <numerusform>%n Kristalle</numerusform>
        </translation>
    </message>
    <message>
        <source>How scatter is found</source>
        <translation>Wie Streuung bestimmt wird</translation>
    </message>
    <message>
        <source>A click or Space opens it</source>
        <translation>Ein Klick oder die Leertaste öffnet es</translation>
    </message>
    <message>
        <source>the fastest that is there</source>
        <translation>die schnellste, die da ist</translation>
    </message>
    <message>
        <source>A file is needed: the data do not hold this part</source>
        <translation>Eine Datei wird gebraucht: die Daten haben diesen Teil nicht</translation>
    </message>
    <message>
        <source>These singles do not say what kept blocks busy, which dead time is found from</source>
        <translation>Diese Einzelereignisse sagen nicht, was Blöcke beschäftigte; daraus wird die Totzeit bestimmt</translation>
    </message>
    <message>
        <source>Say which scanner the sinograms are of</source>
        <translation>Sagen Sie, von welchem Scanner die Sinogramme sind</translation>
    </message>
    <message>
        <source>%1 has %2 crystals, the sinograms are of %3</source>
        <translation>%1 hat %2 Kristalle, die Sinogramme sind von %3</translation>
    </message>
    <message>
        <source>Nothing is changed: tick a part or untick one</source>
        <translation>Nichts ist geändert: einen Teil ankreuzen oder abwählen</translation>
    </message>
</context>
<context>
    <name>tof::ui::CorrectionsModel</name>
    <message>
        <source>Open a study, data or list-mode first</source>
        <translation>Zuerst eine Studie, Daten oder Listenmodus öffnen</translation>
    </message>
    <message>
        <source>These data do not keep attenuation apart</source>
        <translation>Diese Daten führen die Schwächung nicht getrennt</translation>
    </message>
    <message>
        <source>These data have no efficiencies: 1 everywhere</source>
        <translation>Diese Daten haben keine Ausbeuten: überall 1</translation>
    </message>
    <message>
        <source>These data have no randoms and no scatter: 0 everywhere</source>
        <translation>Diese Daten haben keine Zufälligen und keine Streuung: überall 0</translation>
    </message>
    <message>
        <source>Every line of a list has corrections of its own: no view shows them, their sizes are below</source>
        <translation>Jede Linie einer Liste hat eigene Korrekturen: keine Ansicht zeigt sie, ihre Größen stehen unten</translation>
    </message>
</context>
<context>
    <name>tof::ui::CorrectionsPage</name>
    <message>
        <source>Attenuation</source>
        <translation>Schwächung</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>Ausbeute</translation>
    </message>
    <message>
        <source>Randoms and scatter</source>
        <translation>Zufällige und Streuung</translation>
    </message>
    <message>
        <source>attenuation</source>
        <translation>Schwächung</translation>
    </message>
    <message>
        <source>efficiency</source>
        <translation>Ausbeute</translation>
    </message>
    <message>
        <source>randoms and scatter</source>
        <translation>Zufällige und Streuung</translation>
    </message>
    <message>
        <source>Picture %1 of the correction</source>
        <translation>Bild %1 der Korrektur</translation>
    </message>
    <message>
        <source>picture on its way</source>
        <translation>Bild ist unterwegs</translation>
    </message>
    <message>
        <source>Counts, off</source>
        <translation>Zählwerte, aus</translation>
    </message>
    <message>
        <source>Corrected, on</source>
        <translation>Korrigiert, an</translation>
    </message>
    <message>
        <source>Open the Corrections page first</source>
        <translation>Zuerst die Seite „Korrekturen“ öffnen</translation>
    </message>
    <message>
        <source>Share of pairs that survive on their way</source>
        <translation>Anteil der Paare, die ihren Weg überleben</translation>
    </message>
    <message>
        <source>Chance that what survives is recorded</source>
        <translation>Wahrscheinlichkeit, dass erfasst wird, was überlebt</translation>
    </message>
    <message>
        <source>Counts expected that are no true coincidences</source>
        <translation>Erwartete Zählwerte, die keine wahren Koinzidenzen sind</translation>
    </message>
    <message>
        <source>Make corrections...</source>
        <translation>Korrekturen machen...</translation>
    </message>
    <message>
        <source>Open a study, data or list-mode first</source>
        <translation>Zuerst eine Studie, Daten oder Listenmodus öffnen</translation>
    </message>
    <message>
        <source>%1 of view %2</source>
        <translation>%1 von Ansicht %2</translation>
    </message>
    <message>
        <source>The file does not say which scanner it is of</source>
        <translation>Die Datei sagt nicht, von welchem Scanner sie ist</translation>
    </message>
    <message>
        <source>Scanner: %1</source>
        <translation>Scanner: %1</translation>
    </message>
    <message>
        <source>What was measured is not said</source>
        <translation>Was gemessen wurde, ist nicht gesagt</translation>
    </message>
    <message>
        <source>Measured: %1</source>
        <translation>Gemessen: %1</translation>
    </message>
    <message>
        <source>%1 of %2 events kept</source>
        <translation>%1 von %2 Ereignissen behalten</translation>
    </message>
    <message>
        <source>%1 events kept</source>
        <translation>%1 Ereignisse behalten</translation>
    </message>
    <message>
        <source>Duration: %1 s</source>
        <translation>Dauer: %1 s</translation>
    </message>
    <message>
        <source>End points spread over crystal faces, seed %1</source>
        <translation>Endpunkte auf Flächen verteilt, Start %1</translation>
    </message>
    <message>
        <source>End points at crystal centres</source>
        <translation>Endpunkte in Kristallmitten</translation>
    </message>
    <message>
        <source>No corrections in the file</source>
        <translation>Keine Korrekturen in der Datei</translation>
    </message>
    <message>
        <source>In the file: %1</source>
        <translation>In der Datei: %1</translation>
    </message>
    <message>
        <source>Not in the file: %1</source>
        <translation>Nicht in der Datei: %1</translation>
    </message>
    <message>
        <source>view</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>in this view</source>
        <translation>in dieser Ansicht</translation>
    </message>
    <message>
        <source>Mean factor of the counts; of randoms and scatter their share of the counts</source>
        <translation>Mittlerer Faktor der Zählwerte; bei Zufälligen und Streuung ihr Anteil an den Zählwerten</translation>
    </message>
    <message>
        <source>in all views</source>
        <translation>in allen Ansichten</translation>
    </message>
    <message>
        <source>Finds and switches the parts of the corrections of the open data, in the background, and opens the result as a study</source>
        <translation>Bestimmt und schaltet die Teile der Korrekturen der offenen Daten im Hintergrund und öffnet das Ergebnis als Studie</translation>
    </message>
    <message>
        <source>events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>In the whole list</source>
        <translation>In der ganzen Liste</translation>
    </message>
    <message>
        <source>Expected among the events of the whole list</source>
        <translation>Unter den Ereignissen der ganzen Liste erwartet</translation>
    </message>
</context>
<context>
    <name>tof::ui::CorrectionsParts</name>
    <message>
        <source>Make a study without this part...</source>
        <translation>Eine Studie ohne diesen Teil machen...</translation>
    </message>
    <message>
        <source>It is within what the data came with, which a reconstruction takes; make a study with this part apart...</source>
        <translation>Er steckt in dem, womit die Daten kamen und was eine Rekonstruktion nimmt; eine Studie mit diesem Teil für sich machen...</translation>
    </message>
    <message>
        <source>Make a study with this part...</source>
        <translation>Eine Studie mit diesem Teil machen...</translation>
    </message>
</context>
<context>
    <name>tof::ui::DataScanner</name>
    <message>
        <source>Scanner of the data</source>
        <translation>Scanner der Daten</translation>
    </message>
    <message>
        <source>Scanner</source>
        <translation>Scanner</translation>
    </message>
    <message>
        <source>The scanner from outside with what was measured in it and a line of response of the view on screen, in the place of the third picture</source>
        <translation>Der Scanner von außen mit dem, was in ihm gemessen wurde, und einer Antwortlinie der gezeigten Ansicht, anstelle des dritten Bildes</translation>
    </message>
    <message>
        <source>Open a study, data or list-mode first</source>
        <translation>Zuerst eine Studie, Daten oder Listenmodus öffnen</translation>
    </message>
    <message>
        <source>The data do not say of which scanner they are</source>
        <translation>Die Daten sagen nicht, von welchem Scanner sie sind</translation>
    </message>
    <message>
        <source>Open the Data page first</source>
        <translation>Zuerst die Seite „Daten“ öffnen</translation>
    </message>
</context>
<context>
    <name>tof::ui::ScannerPicture</name>
    <message>
        <source>The scanner from outside</source>
        <translation>Der Scanner von außen</translation>
    </message>
    <message>
        <source>Drag or arrow keys turn, the wheel zooms; click two crystals for a line of response, double-click to look as at the start</source>
        <translation>Ziehen oder Pfeiltasten drehen, das Rad vergrößert; zwei Kristalle anklicken für eine Antwortlinie, Doppelklick für den Blick vom Anfang</translation>
    </message>
    <message>
        <source>crystal %1 to crystal %2, %3 mm</source>
        <translation>Kristall %1 zu Kristall %2, %3 mm</translation>
    </message>
    <message>
        <source>%1 mm</source>
        <translation>%1 mm</translation>
    </message>
</context>
<context>
    <name>tof::ui::ExperimentChart</name>
    <message>
        <source>Curves of the experiment</source>
        <translation>Kurven des Experiments</translation>
    </message>
</context>
<context>
    <name>tof::ui::ScaledPicture</name>
    <message>
        <source>Picture of the experiment</source>
        <translation>Bild des Experiments</translation>
    </message>
</context>
<context>
    <name>tof::ui::ExperimentsModel</name>
    <message>
        <source>This experiment is in work; cancel it first</source>
        <translation>Dieses Experiment ist in Arbeit; erst abbrechen</translation>
    </message>
    <message>
        <source>It needs the engine %1: %2</source>
        <translation>Es braucht die Engine %1: %2</translation>
    </message>
    <message>
        <source>Experiment %1</source>
        <translation>Experiment %1</translation>
    </message>
    <message>
        <source>Run the experiment first</source>
        <translation>Erst das Experiment ausführen</translation>
    </message>
    <message>
        <source>This experiment makes no images</source>
        <translation>Dieses Experiment macht keine Bilder</translation>
    </message>
    <message>
        <source>This experiment takes no data of one&apos;s own</source>
        <translation>Dieses Experiment nimmt keine eigenen Daten</translation>
    </message>
</context>
<context>
    <name>tof::ui::ExperimentsPage</name>
    <message>
        <source>Scanner of the experiment</source>
        <translation>Scanner des Experiments</translation>
    </message>
    <message>
        <source>Which of the built-in scanners the experiment tests</source>
        <translation>Welchen der eingebauten Scanner das Experiment prüft</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>bestanden</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>nicht bestanden</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>ausgelassen</translation>
    </message>
    <message>
        <source>Open the Experiments page first</source>
        <translation>Erst die Seite Experimente öffnen</translation>
    </message>
    <message>
        <source>Quick</source>
        <translation>Schnell</translation>
    </message>
    <message>
        <source>A minute or less on two cores</source>
        <translation>Höchstens eine Minute auf zwei Kernen</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>Ganz</translation>
    </message>
    <message>
        <source>What the paper did; hours without a GPU</source>
        <translation>Was die Arbeit getan hat; ohne GPU Stunden</translation>
    </message>
    <message>
        <source>%1 experiment</source>
        <translation>Experiment: %1</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Run experiment</source>
        <translation>Experiment ausführen</translation>
    </message>
    <message>
        <source>Runs the chosen experiment in the background and writes its report</source>
        <translation>Führt das gewählte Experiment im Hintergrund aus und schreibt seinen Bericht</translation>
    </message>
    <message>
        <source>Open images of the experiment</source>
        <translation>Bilder des Experiments öffnen</translation>
    </message>
    <message>
        <source>Open as runs</source>
        <translation>Als Läufe öffnen</translation>
    </message>
    <message>
        <source>Puts the images that the experiment made beside the runs, on Slices</source>
        <translation>Stellt die Bilder, die das Experiment gemacht hat, neben die Läufe, auf Schichten</translation>
    </message>
    <message>
        <source>Open report of the experiment</source>
        <translation>Bericht des Experiments öffnen</translation>
    </message>
    <message>
        <source>Open report</source>
        <translation>Bericht öffnen</translation>
    </message>
    <message>
        <source>Shows the report, one page with checks, curves and pictures, in the browser</source>
        <translation>Zeigt den Bericht, eine Seite mit Prüfungen, Kurven und Bildern, im Browser</translation>
    </message>
    <message>
        <source>Run the experiment first</source>
        <translation>Erst das Experiment ausführen</translation>
    </message>
    <message>
        <source>Folder of experiments...</source>
        <translation>Ordner der Experimente...</translation>
    </message>
    <message>
        <source>Folder...</source>
        <translation>Ordner...</translation>
    </message>
    <message>
        <source>Where reports are written, and looked for</source>
        <translation>Wohin Berichte geschrieben und wo sie gesucht werden</translation>
    </message>
    <message>
        <source>Folder of experiments</source>
        <translation>Ordner der Experimente</translation>
    </message>
    <message>
        <source>Experiments with the papers; arrow keys choose one</source>
        <translation>Experimente mit den Arbeiten; Pfeiltasten wählen eines</translation>
    </message>
    <message>
        <source>experiment</source>
        <translation>Experiment</translation>
    </message>
    <message>
        <source>of</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Checks of what the paper claims</source>
        <translation>Prüfungen dessen, was die Arbeit behauptet</translation>
    </message>
    <message>
        <source>check</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>condition</source>
        <translation>Bedingung</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>remark</source>
        <translation>Bemerkung</translation>
    </message>
    <message>
        <source>Curves, pictures or numbers</source>
        <translation>Kurven, Bilder oder Zahlen</translation>
    </message>
    <message>
        <source>Which curves, picture or numbers of the experiment are shown</source>
        <translation>Welche Kurven, welches Bild oder welche Zahlen des Experiments gezeigt werden</translation>
    </message>
    <message>
        <source>Numbers of the experiment</source>
        <translation>Zahlen des Experiments</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Paused: %1</source>
        <translation>Angehalten: %1</translation>
    </message>
    <message>
        <source>Waits for what is being done before it</source>
        <translation>Wartet auf das, was vorher getan wird</translation>
    </message>
    <message>
        <source>Skipped: %1</source>
        <translation>Ausgelassen: %1</translation>
    </message>
    <message>
        <source>%1; %2 s, %3</source>
        <translation>%1; %2 s, %3</translation>
    </message>
    <message>
        <source>Made %1; its report is there</source>
        <translation>Gemacht %1; der Bericht ist da</translation>
    </message>
    <message>
        <source>Full: %1</source>
        <translation>Ganz: %1</translation>
    </message>
    <message>
        <source>Quick: %1</source>
        <translation>Schnell: %1</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>The file of this picture is not there any more; run the experiment again</source>
        <translation>Die Datei dieses Bildes ist nicht mehr da; das Experiment noch einmal ausführen</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>CUDA</source>
        <translation>CUDA</translation>
    </message>
    <message>
        <source>Experiment by %1</source>
        <translation>Experiment mit %1</translation>
    </message>
    <message>
        <source>The engine that reconstructs and is timed</source>
        <translation>Die Maschine, die rekonstruiert und gemessen wird</translation>
    </message>
    <message>
        <source>Own data for the experiment...</source>
        <translation>Eigene Daten für das Experiment...</translation>
    </message>
    <message>
        <source>Own data...</source>
        <translation>Eigene Daten...</translation>
    </message>
    <message>
        <source>Takes a file of your own instead of the paper&apos;s data</source>
        <translation>Nimmt eine eigene Datei statt der Daten der Arbeit</translation>
    </message>
    <message>
        <source>Data of the paper for the experiment</source>
        <translation>Daten der Arbeit für das Experiment</translation>
    </message>
    <message>
        <source>Takes the paper&apos;s data again, not a file of your own</source>
        <translation>Nimmt wieder die Daten der Arbeit, keine eigene Datei</translation>
    </message>
    <message>
        <source>No file of your own was chosen</source>
        <translation>Es wurde keine eigene Datei gewählt</translation>
    </message>
    <message>
        <source>Own data for the experiment</source>
        <translation>Eigene Daten für das Experiment</translation>
    </message>
    <message>
        <source>Data: the paper&apos;s; takes %1 of your own</source>
        <translation>Daten: die der Arbeit; nimmt eigene: %1</translation>
    </message>
    <message>
        <source>Data: %1</source>
        <translation>Daten: %1</translation>
    </message>
</context>
<context>
    <name>tof::ui::RequestForm</name>
    <message>
        <source>%1 to %2 are possible</source>
        <translation>%1 bis %2 sind möglich</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no number</source>
        <translation>„%1“ ist keine Zahl</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>Wählen …</translation>
    </message>
    <message>
        <source>Browse for: %1</source>
        <translation>Durchsuchen: %1</translation>
    </message>
</context>
<context>
    <name>tof::ui::TimeBar</name>
    <message>
        <source>First frame of the mean</source>
        <translation>Erstes Zeitbild des Mittels</translation>
    </message>
    <message>
        <source>Last frame of the mean</source>
        <translation>Letztes Zeitbild des Mittels</translation>
    </message>
    <message>
        <source>Frame</source>
        <translation>Zeitbild</translation>
    </message>
    <message>
        <source>Frame of the dynamic image; Left and Right step through them</source>
        <translation>Zeitbild des dynamischen Bilds; Links und Rechts gehen durch sie</translation>
    </message>
</context>
<context>
    <name>tof::ui::TimeCommands</name>
    <message>
        <source>Make frames...</source>
        <translation>Zeitfenster machen...</translation>
    </message>
    <message>
        <source>Cuts list-mode by time: asks how the open list, or a file, is binned</source>
        <translation>Schneidet List-Mode nach der Zeit: fragt, wie die offene Liste oder eine Datei gebinnt wird</translation>
    </message>
    <message>
        <source>Make parametric image...</source>
        <translation>Parametrisches Bild machen...</translation>
    </message>
    <message>
        <source>Fits a kinetic model to every voxel of the dynamic image on screen, writes images of its parameters and opens them</source>
        <translation>Passt ein kinetisches Modell an jedes Voxel des gezeigten dynamischen Bilds an, schreibt Bilder seiner Parameter und öffnet sie</translation>
    </message>
    <message>
        <source>List-mode to be cut by time</source>
        <translation>List-Mode, der nach der Zeit geschnitten wird</translation>
    </message>
    <message>
        <source>Make images of frames...</source>
        <translation>Bilder der Zeitfenster machen...</translation>
    </message>
    <message>
        <source>Reconstructs every frame of the open data with the settings at the left, writes them as one dynamic image and opens it</source>
        <translation>Rekonstruiert jedes Zeitfenster der offenen Daten mit den Einstellungen links, schreibt sie als ein dynamisches Bild und öffnet es</translation>
    </message>
    <message>
        <source>Images of frames</source>
        <translation>Bilder der Zeitfenster</translation>
    </message>
    <message>
        <source>Dynamic images (*.nii.gz *.nii *.h5)</source>
        <translation>Dynamische Bilder (*.nii.gz *.nii *.h5)</translation>
    </message>
</context>
<context>
    <name>tof::ui::TimeChart</name>
    <message>
        <source>%1, partial volumes of %2 mm taken out</source>
        <translation>%1, Partialvolumen von %2 mm herausgenommen</translation>
    </message>
    <message>
        <source>Activity against time</source>
        <translation>Aktivität über der Zeit</translation>
    </message>
    <message>
        <source>as stored</source>
        <translation>wie gespeichert</translation>
    </message>
    <message>
        <source>decay-corrected</source>
        <translation>zerfallskorrigiert</translation>
    </message>
    <message>
        <source>as measured</source>
        <translation>wie gemessen</translation>
    </message>
    <message>
        <source>%1; %2 of %3 ROIs, bands: SD over voxels</source>
        <translation>%1; %2 von %3 ROIs, Bänder: SD über Voxel</translation>
    </message>
    <message>
        <source>time, min</source>
        <translation>Zeit, min</translation>
    </message>
    <message>
        <source>time, s</source>
        <translation>Zeit, s</translation>
    </message>
    <message>
        <source>cursor</source>
        <translation>Cursor</translation>
    </message>
    <message>
        <source>The image on screen has no frames</source>
        <translation>Das gezeigte Bild hat keine Zeitbilder</translation>
    </message>
</context>
<context>
    <name>tof::ui::FrameTable</name>
    <message>
        <source>Frames of the data</source>
        <translation>Zeitfenster der Daten</translation>
    </message>
    <message>
        <source>Frames that the list was cut into; Ctrl+C copies the table</source>
        <translation>Zeitfenster, in die die Liste geschnitten ist; Strg+C kopiert die Tabelle</translation>
    </message>
    <message>
        <source>start, s</source>
        <translation>Beginn, s</translation>
    </message>
    <message>
        <source>duration, s</source>
        <translation>Dauer, s</translation>
    </message>
    <message>
        <source>counts</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>counts/s</source>
        <translation>Ereignisse/s</translation>
    </message>
    <message>
        <source>decay factor</source>
        <translation>Zerfallsfaktor</translation>
    </message>
</context>
<context>
    <name>tof::ui::RunsPage</name>
    <message>
        <source>Table of runs</source>
        <translation>Tabelle der Läufe</translation>
    </message>
    <message>
        <source>Pin run</source>
        <translation>Lauf anheften</translation>
    </message>
    <message>
        <source>Keeps the selected run at the top of the table of runs; again lets it go</source>
        <translation>Hält den gewählten Lauf oben in der Tabelle der Läufe; noch einmal lässt ihn los</translation>
    </message>
    <message>
        <source>Comment on run...</source>
        <translation>Bemerkung zum Lauf ...</translation>
    </message>
    <message>
        <source>A comment on the selected run, which the table of runs shows and the study keeps</source>
        <translation>Eine Bemerkung zum gewählten Lauf, die die Tabelle der Läufe zeigt und die Studie behält</translation>
    </message>
    <message>
        <source>Export table of runs...</source>
        <translation>Tabelle der Läufe exportieren ...</translation>
    </message>
    <message>
        <source>Writes what the table of runs shows as CSV, or as a tabular of LaTeX</source>
        <translation>Schreibt, was die Tabelle der Läufe zeigt, als CSV oder als Tabelle für LaTeX</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Words that the rows have</source>
        <translation>Wörter, die die Zeilen haben</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>There are no runs yet</source>
        <translation>Es gibt noch keine Läufe</translation>
    </message>
    <message>
        <source>No run is selected</source>
        <translation>Kein Lauf ist gewählt</translation>
    </message>
    <message>
        <source>A click sorts</source>
        <translation>Ein Klick sortiert</translation>
    </message>
    <message>
        <source>Comment on run</source>
        <translation>Bemerkung zum Lauf</translation>
    </message>
    <message>
        <source>Comment on run %1</source>
        <translation>Bemerkung zum Lauf %1</translation>
    </message>
    <message>
        <source>Export table of runs</source>
        <translation>Tabelle der Läufe exportieren</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>LaTeX (*.tex)</source>
        <translation>LaTeX (*.tex)</translation>
    </message>
    <message numerus="yes">
        <source>%n runs</source>
        <translation><numerusform>%n Lauf</numerusform><numerusform>%n Läufe</numerusform></translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 Lauf</translation>
    </message>
</context>
<context>
    <name>tof::ui::FollowCommands</name>
    <message>
        <source>A name is needed</source>
        <translation>Ein Name wird gebraucht</translation>
    </message>
    <message>
        <source>Follow...</source>
        <translation>Verfolgen ...</translation>
    </message>
    <message>
        <source>Counts the events of a list while it is still being written, and shows an image of those so far; when it ends, its data are opened and reconstructed</source>
        <translation>Zählt die Ereignisse einer Liste, während sie noch geschrieben wird, und zeigt ein Bild der bisherigen; wenn sie endet, werden ihre Daten geöffnet und rekonstruiert</translation>
    </message>
    <message>
        <source>Something else is going on</source>
        <translation>Etwas anderes ist im Gange</translation>
    </message>
    <message>
        <source>Follow a list</source>
        <translation>Eine Liste verfolgen</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Verfolgen</translation>
    </message>
</context>
<context>
    <name>tof::ui::DetachedPanes</name>
    <message>
        <source>Picture in a window of its own</source>
        <translation>Bild in ein eigenes Fenster</translation>
    </message>
    <message>
        <source>Puts the plane with the frame into a window of its own, on a second monitor as on this one; cursor and range are those of all pictures</source>
        <translation>Stellt die Ebene mit dem Rahmen in ein eigenes Fenster, auf einem zweiten Bildschirm wie auf diesem; Zeiger und Bereich sind die aller Bilder</translation>
    </message>
    <message>
        <source>Three planes in a window of their own</source>
        <translation>Drei Ebenen in ein eigenes Fenster</translation>
    </message>
    <message>
        <source>Side by side or one below the other, as the shape of that window asks for</source>
        <translation>Nebeneinander oder untereinander, wie es die Form dieses Fensters verlangt</translation>
    </message>
    <message>
        <source>One cursor and range with all pictures</source>
        <translation>Ein Zeiger und Bereich mit allen Bildern</translation>
    </message>
    <message>
        <source>For the picture window in front, or the newest: off, it has a cursor, range and zoom of its own</source>
        <translation>Für das Bildfenster vorn oder das neueste: ausgeschaltet hat es Zeiger, Bereich und Zoom für sich</translation>
    </message>
    <message>
        <source>No picture is in a window of its own</source>
        <translation>Kein Bild ist in einem eigenen Fenster</translation>
    </message>
</context>
<context>
    <name>tof::ui::SidePanels</name>
    <message>
        <source>Study and runs</source>
        <translation>Studie und Läufe</translation>
    </message>
    <message>
        <source>Curves and ROIs</source>
        <translation>Kurven und ROIs</translation>
    </message>
    <message>
        <source>Shows this panel beside the pages; hidden, it opens over them from the rail</source>
        <translation>Zeigt diese Leiste neben den Seiten; ausgeblendet öffnet sie sich von der Knopfreihe über ihnen</translation>
    </message>
    <message>
        <source>%1: window of its own</source>
        <translation>%1: eigenes Fenster</translation>
    </message>
    <message>
        <source>Takes this panel out of the window, or puts it back</source>
        <translation>Nimmt diese Leiste aus dem Fenster oder stellt sie zurück</translation>
    </message>
    <message>
        <source>%1: other side</source>
        <translation>%1: andere Seite</translation>
    </message>
    <message>
        <source>Moves this panel to the other side of the pages, as dragging its title does</source>
        <translation>Stellt diese Leiste auf die andere Seite der Seiten, wie es das Ziehen ihres Titels tut</translation>
    </message>
    <message>
        <source>Study, kernel, settings and runs</source>
        <translation>Studie, Kern, Einstellungen und Läufe</translation>
    </message>
    <message>
        <source>Curves, ROIs and stages</source>
        <translation>Kurven, ROIs und Stufen</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>Studie</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kern</translation>
    </message>
    <message>
        <source>Reconstruct</source>
        <translation>Rekonstruieren</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>%1: opens over the pictures</source>
        <translation>%1: öffnet sich über den Bildern</translation>
    </message>
</context>
<context>
    <name>tof::ui::PaneWindow</name>
    <message>
        <source>One cursor and range with all pictures</source>
        <translation>Ein Zeiger und Bereich mit allen Bildern</translation>
    </message>
    <message>
        <source>One cursor, range and zoom with all pictures; off, this window has its own, and Up and Down step through its slices</source>
        <translation>Ein Zeiger, Bereich und Zoom mit allen Bildern; ausgeschaltet hat dieses Fenster eigene, und Auf und Ab gehen durch seine Schichten</translation>
    </message>
    <message>
        <source>Planes</source>
        <translation>Ebenen</translation>
    </message>
</context>
<context>
    <name>tof::ui::CalibrateCommands</name>
    <message>
        <source>Calibrate...</source>
        <translation>Kalibrieren ...</translation>
    </message>
    <message>
        <source>Makes Bq/ml of the runs by the ROIs in a phantom of known activity, or by a calibration that was made before</source>
        <translation>Macht Bq/ml aus den Läufen: durch ROIs in einem Phantom bekannter Aktivität oder durch eine frühere Kalibrierung</translation>
    </message>
    <message>
        <source>Values in Bq/ml by calibration</source>
        <translation>Werte in Bq/ml durch Kalibrierung</translation>
    </message>
    <message>
        <source>Activity by the calibration, or by the factor that the file of data or image states</source>
        <translation>Aktivität durch die Kalibrierung oder den Faktor, den die Datei der Daten oder des Bilds angibt</translation>
    </message>
    <message>
        <source>There is no image yet</source>
        <translation>Es gibt noch kein Bild</translation>
    </message>
    <message>
        <source>The data of this image are not open</source>
        <translation>Die Daten dieses Bildes sind nicht offen</translation>
    </message>
    <message>
        <source>The data do not say how long was measured</source>
        <translation>Die Daten sagen nicht, wie lange gemessen wurde</translation>
    </message>
    <message>
        <source>Calibrate</source>
        <translation>Kalibrieren</translation>
    </message>
    <message>
        <source>Calibrating</source>
        <translation>Kalibrieren</translation>
    </message>
</context>
<context>
    <name>tof::ui::Calibrations</name>
    <message>
        <source>Bq/ml by calibration</source>
        <translation>Bq/ml durch Kalibrierung</translation>
    </message>
    <message>
        <source>The data of this image are not open</source>
        <translation>Die Daten dieses Bildes sind nicht offen</translation>
    </message>
    <message>
        <source>The data do not say how long was measured</source>
        <translation>Die Daten sagen nicht, wie lange gemessen wurde</translation>
    </message>
    <message>
        <source>No scan of known activity says what a value is: Tools &gt; Calibrate</source>
        <translation>Keine Messung bekannter Aktivität sagt, was ein Wert ist: Werkzeuge &gt; Kalibrieren</translation>
    </message>
</context>
<context>
    <name>tof::ui::PlaceCommands</name>
    <message>
        <source>Register...</source>
        <translation>Registrieren...</translation>
    </message>
    <message>
        <source>Lays the image on screen onto another one, by mutual information or by six numbers</source>
        <translation>Legt das Bild auf dem Schirm auf ein anderes, durch Transinformation oder sechs Zahlen</translation>
    </message>
    <message>
        <source>Reorient...</source>
        <translation>Umorientieren...</translation>
    </message>
    <message>
        <source>The image with its axes where they really run, where its file says it wrongly</source>
        <translation>Das Bild mit seinen Achsen dort, wo sie wirklich verlaufen, wenn seine Datei es falsch sagt</translation>
    </message>
    <message>
        <source>Straighten the image</source>
        <translation>Bild gerade richten</translation>
    </message>
    <message>
        <source>Turns the image so that the longest axis of what it shows lies along x, y or z</source>
        <translation>Dreht das Bild so, dass die längste Achse dessen, was es zeigt, entlang x, y oder z liegt</translation>
    </message>
    <message>
        <source>Turn the image as the planes are</source>
        <translation>Bild drehen wie die Ebenen</translation>
    </message>
    <message>
        <source>Makes an image whose own planes are the oblique ones, and straightens these</source>
        <translation>Macht ein Bild, dessen eigene Ebenen die schrägen sind, und richtet diese gerade</translation>
    </message>
    <message>
        <source>No plane is turned</source>
        <translation>Keine Ebene ist gedreht</translation>
    </message>
    <message>
        <source>Reorient %1</source>
        <translation>%1 umorientieren</translation>
    </message>
    <message>
        <source>Where x, y and z of the image run: L or R, P or A, S or I</source>
        <translation>Wohin x, y und z des Bildes verlaufen: L oder R, P oder A, S oder I</translation>
    </message>
    <message>
        <source>Reorient</source>
        <translation>Umorientieren</translation>
    </message>
    <message>
        <source>Axes</source>
        <translation>Achsen</translation>
    </message>
</context>
<context>
    <name>tof::ui::RegisterDialog</name>
    <message>
        <source>Lay one image onto another</source>
        <translation>Ein Bild auf ein anderes legen</translation>
    </message>
    <message>
        <source>Image that is moved</source>
        <translation>Bewegtes Bild</translation>
    </message>
    <message>
        <source>Image that stays</source>
        <translation>Festes Bild</translation>
    </message>
    <message>
        <source>With the voxels of the image that stays</source>
        <translation>Mit den Voxeln des festen Bildes</translation>
    </message>
    <message>
        <source>So that both can be compared voxel by voxel; off keeps the moved image&apos;s own voxels</source>
        <translation>Damit beide Voxel für Voxel verglichen werden können; aus behält das bewegte Bild seine eigenen Voxel</translation>
    </message>
    <message>
        <source>Shift to the left (x)</source>
        <translation>Nach links (x)</translation>
    </message>
    <message>
        <source>Shift to the back (y)</source>
        <translation>Nach hinten (y)</translation>
    </message>
    <message>
        <source>Shift to the head (z)</source>
        <translation>Zum Kopf (z)</translation>
    </message>
    <message>
        <source>Turn about x</source>
        <translation>Drehung um x</translation>
    </message>
    <message>
        <source>Turn about y</source>
        <translation>Drehung um y</translation>
    </message>
    <message>
        <source>Turn about z</source>
        <translation>Drehung um z</translation>
    </message>
    <message>
        <source> mm</source>
        <translation> mm</translation>
    </message>
    <message>
        <source>°</source>
        <translation>°</translation>
    </message>
    <message>
        <source>Find by mutual information</source>
        <translation>Durch Transinformation finden</translation>
    </message>
    <message>
        <source>From the numbers above on; Cancel at the bottom of the window stops it</source>
        <translation>Von den Zahlen oben aus; Abbrechen unten im Fenster hält es an</translation>
    </message>
    <message>
        <source>Open transform...</source>
        <translation>Transformation öffnen...</translation>
    </message>
    <message>
        <source>ITK&apos;s .tfm or .txt, or a tracker&apos;s pose as .tsv or .json</source>
        <translation>ITKs .tfm oder .txt, oder die Pose eines Trackers als .tsv oder .json</translation>
    </message>
    <message>
        <source>Save transform...</source>
        <translation>Transformation speichern...</translation>
    </message>
    <message>
        <source>Choose two images that show the same body</source>
        <translation>Zwei Bilder desselben Körpers wählen</translation>
    </message>
    <message>
        <source>At work; Cancel at the bottom of the window stops it</source>
        <translation>Bei der Arbeit; Abbrechen unten im Fenster hält es an</translation>
    </message>
    <message>
        <source>In the pictures, the cross shifts the image and the ring turns it. Alt with arrow keys and with Page Up and Down does so by 1 mm and 1 degree, with Shift by 10.</source>
        <translation>In den Bildern verschiebt das Kreuz das Bild, und der Ring dreht es. Alt mit Pfeiltasten und mit Bild auf und ab tut es um 1 mm und 1 Grad, mit Umschalt um 10.</translation>
    </message>
    <message>
        <source>Save transform</source>
        <translation>Transformation speichern</translation>
    </message>
    <message>
        <source>Open transform</source>
        <translation>Transformation öffnen</translation>
    </message>
    <message>
        <source>ITK (*.tfm *.txt);;Pose of a tracker (*.json *.tsv)</source>
        <translation>ITK (*.tfm *.txt);;Pose eines Trackers (*.json *.tsv)</translation>
    </message>
    <message>
        <source>Transforms (*.tfm *.txt *.json *.tsv)</source>
        <translation>Transformationen (*.tfm *.txt *.json *.tsv)</translation>
    </message>
</context>
<context>
    <name>tof::ui::BrowseDialog</name>
    <message>
        <source>Browse a folder</source>
        <translation>Ordner durchsehen</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Choose...</source>
        <translation>Wählen...</translation>
    </message>
    <message>
        <source>Series and studies</source>
        <translation>Serien und Studien</translation>
    </message>
    <message>
        <source>Patient</source>
        <translation>Patient</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>study</source>
        <translation>Studie</translation>
    </message>
    <message>
        <source>Looking...</source>
        <translation>Es wird gesucht...</translation>
    </message>
    <message>
        <source>No series of PET or CT and no study is here</source>
        <translation>Hier ist keine Serie von PET oder CT und keine Studie</translation>
    </message>
    <message>
        <source>Ctrl takes several, such as PET and CT of one visit</source>
        <translation>Strg nimmt mehrere, etwa PET und CT eines Besuchs</translation>
    </message>
    <message>
        <source>Left out: %1 that cannot be read, %2 that are no images of PET or CT</source>
        <translation>Ausgelassen: %1, die nicht gelesen werden können, %2, die keine Bilder von PET oder CT sind</translation>
    </message>
</context>
</TS>
