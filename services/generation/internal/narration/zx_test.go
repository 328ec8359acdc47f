package narration
import ("testing";"fmt";"math")
var dbg = func(v Voice, pre, level float64, n int){ fmt.Printf("%s pre %.1f level %.1f n %.2fs\n",v.ID,pre,level,float64(n)/24000); _=math.Pi }
func init(){ debug=dbg }
func TestZX(t *testing.T){}
