package narration
import ("testing";"context";"os";"fmt";"syscall";"time";"serein.app/services/platform/mp3";"serein.app/services/platform/loudness";"serein.app/services/generation/internal/narration/sound")
func cpu() time.Duration { var r syscall.Rusage; syscall.Getrusage(1,&r) /*thread*/ ; return 0 }
func self() time.Duration { var r syscall.Rusage; syscall.Getrusage(0,&r); return time.Duration(r.Utime.Nano()+r.Stime.Nano()) }
func TestZB(t *testing.T){
 x:=make([]float32,16000*20); seed:=uint32(1); for i:=range x { seed=seed*1664525+1013904223; x[i]=float32(int32(seed))/(1<<31)*.2 ; if i/4000%5==0 {x[i]*=1e-4}}
 m:=func(n string,f func()){ a:=self(); f(); fmt.Printf("%-12s %6.1f ms for 20 s = %.0fx\n",n,float64(self()-a)/1e6,20/(self()-a).Seconds()) }
 var y []float32
 rs:=sound.NewResampler(3,2)
 m("resample",func(){ y=rs.Resample(x)})
 m("eq",func(){ for _,f:=range equaliser(){f.Apply(y)}})
 m("voiced",func(){ sound.Voiced(y,1000)})
 m("compress",func(){ evening.Apply(y)})
 m("room",func(){ room.Apply(y)})
 m("lufs",func(){ loudness.Integrated(24000,y)})
 m("limit0",func(){ sound.Gain(y,-12); sound.Limit(y,-2)})
 m("limit1",func(){ sound.Gain(y,12); sound.Limit(y,-6)})
 b,_:=os.ReadFile("/work/main/deploy/local/node_modules/wasm-media-encoders/wasm/mp3.wasm")
 c,_:=mp3.Open(context.Background(),b,"/tmp/au/cache"); n:=New(nil,c,1)
 m("encode",func(){ n.encode(context.Background(),y)})
 m("encode0",func(){ n.encode(context.Background(),make([]float32,24000*20))})
}
